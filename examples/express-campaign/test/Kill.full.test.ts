import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, assert, describe, it } from "vitest"
import { bundled } from "../../../test/programs/Programs.js"

const people = 60
const program = await bundled("examples/express-campaign/src/main.ts")
const folder = mkdtempSync(join(tmpdir(), "trunkline-campaign-"))
const csv = join(folder, "people.csv")
const rows = Array.from(
  { length: people },
  (_, index) => `98765${String(43_210 + index)},Person ${index},${index + 100}`
)
writeFileSync(csv, ["phone,name,amount", ...rows].join("\n"))

const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

let output = ""

/** Starts the program, and completes when it listens. */
const start = async (port: number): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, CSV: csv, DATA: join(folder, "data"), PORT: String(port), SPEED: "20", OPENAI_API_KEY: "" },
    stdio: ["ignore", "pipe", "pipe"]
  })
  children.add(child)
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString()
      output += chunk.toString()
    })
  }
  while (!printed.includes("ready")) {
    assert.isNull(child.exitCode, printed)
    await pause(50)
  }
  return child
}

interface Progress {
  readonly status: string
  readonly contacts: { readonly finished: number; readonly total_enrolled: number; readonly not_enrolled: number }
}

const progressOf = async (port: number): Promise<Progress> =>
  (await fetch(`http://127.0.0.1:${port}/progress`)).json() as Promise<Progress>

describe("the Express app with a campaign", () => {
  it("has fewer than 60 lines", () => {
    const source = readFileSync(new URL("../src/main.ts", import.meta.url), "utf8")
    assert.isBelow(source.trimEnd().split("\n").length, 60)
  })

  it("goes on with the campaign when it is killed and started again: every contact is finished", async () => {
    const port = await freePort()
    const first = await start(port)
    let before = (await progressOf(port)).contacts.finished
    while (before < people / 4) {
      await pause(50)
      before = (await progressOf(port)).contacts.finished
    }
    const exited = once(first, "exit")
    first.kill("SIGKILL")
    await exited

    const second = await start(port)
    assert.isBelow(before, people)
    while ((await progressOf(port)).status !== "ended") await pause(100)
    const ended = await progressOf(port)
    assert.deepInclude(ended.contacts, { finished: people, total_enrolled: people, not_enrolled: 0 })
    // Every contact had at least one attempt, and the result of every attempt was sent to the webhook.
    const verified = () => new Set(output.match(/verified att_\S+/g)).size
    while (verified() < people) await pause(100)
    const stopped = once(second, "exit")
    second.kill("SIGTERM")
    assert.deepStrictEqual(await stopped, [0, null])
  })
})
