import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { bundled } from "../../../test/programs/Programs.js"
import { jsonOf, temporaryFolder, toolOn } from "./Tool.js"

const bin = fileURLToPath(new URL("../../trunkline/bin/trunkline.mjs", import.meta.url))
const server = await bundled("examples/server/src/main.ts")
const folder = temporaryFolder()

const children: Array<ChildProcess> = []
afterAll(() => children.forEach((child) => child.kill("SIGKILL")))

/** Starts a Node program and collects its output. */
const start = (
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
) => {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  children.push(child)
  const printed = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => printed.stdout += chunk.toString())
  child.stderr.on("data", (chunk: Buffer) => printed.stderr += chunk.toString())
  return { child, printed }
}

/** Runs the installed tool. */
const trunkline = async (args: ReadonlyArray<string>, environment: NodeJS.ProcessEnv = {}) => {
  const { child, printed } = start([bin, ...args], {
    cwd: folder,
    env: { ...process.env, INIT_CWD: folder, ...environment }
  })
  const [code] = await once(child, "close")
  return { code, ...printed }
}

/** Starts the reference server on a data folder; resolves to its address once it is ready. */
const serve = (data: string): Promise<string> => {
  const { child, printed } = start([server, "--no-demo", "--port", "0", "--data", data])
  return new Promise((resolve, reject) => {
    child.stdout.on("data", () => {
      const url = /^trunkline ready (\S+)$/m.exec(printed.stdout)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once("exit", () => reject(new Error(printed.stderr)))
  })
}

describe("trunkline", () => {
  it.concurrent(
    "prints results on standard output and hints on standard error, and exits with its code",
    async () => {
      const environment = { TRUNKLINE_DATA: "data" }
      const [createRun, wrong] = await Promise.all([
        trunkline(["accounts", "create", "acme", "--init"], environment),
        trunkline(["keys", "crate"])
      ])
      assert.deepStrictEqual(createRun, {
        code: 0,
        stdout: "The account acme was created.\n",
        stderr: "Next: trunkline keys create --account acme\n"
      })
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      assert.strictEqual((await toolOn(join(folder, "data"))("keys", "list", "--account", "acme")).code, 0)
    }
  )

  it.concurrent(
    "creates keys that a running server accepts immediately and rejects within 5 seconds of revocation",
    async () => {
      const data = join(folder, "served")
      const url = await serve(data)
      const tool = toolOn(data)
      await tool("accounts", "create", "tools", "--workspace", "tools/main")
      const { key, key_id } = jsonOf(await tool("keys", "create", "--account", "tools", "--json"))
      /** Retries when the server of a busy machine sheds the request. */
      const request = async (): Promise<number> => {
        const path = "/v1/orgs/tools/workspaces/main/campaigns"
        const { status } = await fetch(url + path, { headers: { "api-subscription-key": key } })
        if (status !== 503) return status
        await new Promise((resume) => setTimeout(resume, 100))
        return request()
      }
      assert.strictEqual(await request(), 200)
      assert.strictEqual((await tool("keys", "revoke", "--account", "tools", key_id)).code, 0)
      const revoked = performance.now()
      for (;;) {
        const startedAt = performance.now()
        const status = await request()
        if (status === 403) return
        assert.strictEqual(status, 200)
        assert.isBelow(startedAt - revoked, 5_000)
        await new Promise((resume) => setTimeout(resume, 100))
      }
    }
  )
})
