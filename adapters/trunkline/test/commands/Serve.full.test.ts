import { Effect, Schema } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it, vi } from "vitest"
import { startCollector } from "../../../../test/setup/Collector.js"
import { temporaryFolder } from "./Commands.js"

const bin = fileURLToPath(new URL("../../bin/trunkline.mjs", import.meta.url))
const folder = temporaryFolder()
const children: Array<ChildProcess> = []
afterAll(() => {
  children.forEach((child) => child.kill("SIGKILL"))
  folder.remove()
})

/** Starts the tool, and tells what it has printed so far. */
const start = (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, INIT_CWD: folder.path },
    stdio: ["ignore", "pipe", "pipe"]
  })
  children.push(child)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output += chunk.toString())
  const exited = once(child, "exit").then(([code, signal]) => code ?? signal)
  return {
    child,
    exited,
    output: () => output,
    printed: async (pattern: RegExp) => {
      for (;;) {
        const match = pattern.exec(output)
        if (match !== null) return match
        await Promise.race([
          once(child.stdout, "data"),
          exited.then((code) => Promise.reject(new Error(`${code}: ${output}`)))
        ])
      }
    }
  }
}

/** Starts a server with people who answer and listen for long. */
const serve = async (...args: ReadonlyArray<string>) => {
  const server = start("serve", "--config", "desk/trunkline.config.json", "--port", "0", ...args)
  const [, url = ""] = await server.printed(/^trunkline ready (\S+)$/m)
  const key =
    /sk_test_first_[0-9a-f]+/.exec(readFileSync(join(folder.path, "desk/trunkline.config.json"), "utf8"))?.[0] ?? ""
  return { ...server, url, key }
}

const Readiness = Schema.Struct({ checks: Schema.Array(Schema.Struct({ name: Schema.String, ok: Schema.Boolean })) })

const readiness = async (url: string) => {
  const response = await fetch(`${url}/readyz`)
  const { checks } = Schema.decodeUnknownSync(Readiness)(await response.json())
  return { status: response.status, failed: checks.filter(({ ok }) => !ok).map(({ name }) => name) }
}

describe("trunkline serve", () => {
  it("starts from what init wrote, tells its health, and drains on SIGTERM while it still answers", async () => {
    assert.strictEqual(await start("init", "desk").exited, 0)
    const { child, exited, output, url } = await serve("--pause", "2")
    assert.deepStrictEqual(await readiness(url), { status: 200, failed: [] })
    assert.strictEqual((await fetch(`${url}/livez`)).status, 200)
    child.kill("SIGTERM")
    let found = await readiness(url)
    while (found.status === 200) found = await readiness(url)
    assert.deepStrictEqual(found, { status: 503, failed: ["draining"] })
    assert.strictEqual((await fetch(`${url}/livez`)).status, 200)
    assert.strictEqual((await fetch(`${url}/health`)).status, 503)
    assert.strictEqual(await exited, 0, output())
  })

  it("exports its traces before it ends on SIGTERM, and logs JSON without what a request holds", async () => {
    const exported = Effect.gen(function*() {
      const collector = yield* startCollector()
      yield* Effect.promise(async () => {
        vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        vi.stubEnv("OTEL_SERVICE_NAME", "desk")
        const { child, exited, output, url } = await serve("--log", "json", "--log-level", "debug")
        const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        await fetch(`${url}/livez?key=quiet`, { headers: { traceparent, authorization: "Bearer quiet" } })
        child.kill("SIGTERM")
        assert.strictEqual(await exited, 0, output())
        assert.notInclude(output(), "quiet")
        vi.unstubAllEnvs()
      })
      return collector
    })
    const { bodies, spans } = await Effect.runPromise(Effect.scoped(exported))
    const span = spans.find(({ name }) => name === "GET /livez")
    assert.strictEqual(span?.traceId, "4bf92f3577b34da6a3ce929d0e0e4736")
    assert.strictEqual(span?.parentSpanId, "00f067aa0ba902b7")
    assert.include(bodies.join(), `{"stringValue":"desk"}`)
    assert.notInclude(bodies.join(), "quiet")
  })

  it("ends at once on a second signal", async () => {
    const { child, exited, printed } = await serve("--pause", "600")
    child.kill("SIGTERM")
    await printed(/^Finishing the calls/m)
    child.kill("SIGTERM")
    assert.strictEqual(await exited, "SIGTERM")
  })

  it("is backed up while it serves, and serves what was restored", async () => {
    const { child, exited, key, url } = await serve("--data", "live")
    const headers = { "api-subscription-key": key, "content-type": "application/json" }
    const blocked = `${url}/v1/orgs/acme/workspaces/main/blocked-numbers`
    const body = JSON.stringify({ phone_numbers: ["+919876543210"] })
    assert.strictEqual((await fetch(blocked, { method: "POST", headers, body })).status, 200)
    assert.strictEqual(await start("backup", "--data", "live", "--to", "backup").exited, 0)
    assert.strictEqual(await start("restore", "--from", "backup", "--data", "live").exited, 1)
    child.kill("SIGTERM")
    assert.strictEqual(await exited, 0)
    assert.strictEqual(await start("restore", "--from", "backup", "--data", "again").exited, 0)
    const again = await serve("--data", "again")
    const listed = await (await fetch(`${again.url}/v1/orgs/acme/workspaces/main/blocked-numbers`, { headers })).text()
    assert.include(listed, "+919876543210")
    again.child.kill("SIGTERM")
    await again.exited
  })

  it("ends with one line when it cannot start", async () => {
    writeFileSync(join(folder.path, "broken.json"), "{")
    const { exited, output } = start("serve", "--config", "broken.json")
    assert.strictEqual(await exited, 1)
    assert.match(output(), /cannot be used:\n {2}The file is not JSON/)
    assert.notMatch(output(), /^ {4}at /m)
  })
})
