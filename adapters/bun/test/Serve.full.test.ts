import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { serve } from "@trunkline/bun"
import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { request } from "node:http"
import { fileURLToPath } from "node:url"
import { bunRuns } from "../../../test/setup/Bun.js"
import { type BunProcess, startBun } from "./BunServer.js"
import { openSocket } from "./ClientSocket.js"
import { flood } from "./ScriptedEngine.js"

const workspace = "/v1/orgs/acme/workspaces/main"
const key = { "api-subscription-key": testKeys.main }
const engineAt = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const scripted = engineAt("ScriptedEngine.ts")

const call = JSON.stringify({
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_config: { connection_id: "sim-1", agent_phone_number: "+911140000003" }
  },
  user_config: { user_phone_number: "+919876543210" }
})

const json = { ...key, "content-type": "application/json" }

describe.runIf(bunRuns)("serving from Bun", () => {
  let bun: BunProcess

  beforeAll(async () => {
    bun = await startBun({ engine: scripted, prefix: "voice/" })
  })
  afterAll(() => bun.close())

  const ask = (path: string, init: RequestInit = {}) => fetch(`${bun.url}${path}`, { headers: key, ...init })
  const live = (path = workspace, headers: Record<string, string> = key) =>
    openSocket(bun, `/voice${path}/calls/live`, headers)
  const dial = () => ask(`${workspace}/outbounds`, { method: "POST", headers: json, body: call })

  it("responds only under its prefix", async () => {
    assert.match(bun.url, /\/voice$/)
    assert.strictEqual((await ask("/health")).status, 200)
    assert.strictEqual((await fetch(new URL("/health", bun.url))).status, 404)
    const refused = await ask(`${workspace}/deployments`, { method: "PUT" })
    assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, POST"])
  })

  it("answers HEAD as GET, without a length for streams", async () => {
    const listed = await ask(`${workspace}/deployments`)
    const head = await ask(`${workspace}/deployments`, { method: "HEAD" })
    assert.strictEqual(head.headers.get("content-length"), String((await listed.text()).length))
    assert.isNull((await ask(`${workspace}/calls/live`, { method: "HEAD" })).headers.get("content-length"))
  })

  it("rejects bodies that are too large: by their declared length, or while they arrive", async () => {
    const sending = request(`${bun.url}${workspace}/outbounds`, {
      method: "POST",
      headers: { ...json, "content-length": 200_000_000 }
    })
    sending.on("error", () => {})
    sending.flushHeaders()
    const [declared] = await once(sending, "response")
    sending.destroy()
    assert.strictEqual(declared.statusCode, 413)
    const body = new Blob(["x".repeat(5_000_000)]).stream()
    const chunked = await ask(`${workspace}/outbounds`, { method: "POST", headers: json, body, duplex: "half" })
    assert.strictEqual(chunked.status, 413)
    assert.strictEqual(JSON.parse(await chunked.text()).error.code, "invalid_request_error")
  })

  it("interrupts the work when the client disconnects", async () => {
    const leaving = new AbortController()
    const answer = ask(`${workspace}/deployments?search=never`, { signal: leaving.signal }).catch(() => "gone")
    await bun.wrote("begun never")
    leaving.abort()
    await bun.wrote("interrupted")
    assert.strictEqual(await answer, "gone")
  })

  it("streams events one by one", async () => {
    const { body } = await ask(`${workspace}/calls/live`)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.strictEqual((await reader?.read())?.value, ":\n\n")
    await dial()
    assert.match((await reader?.read())?.value ?? "", /^event: attempt.started\n/)
    await reader?.cancel()
  })

  it("opens WebSockets for clients with a key of the workspace", async () => {
    assert.strictEqual((await live(workspace, { "api-subscription-key": testKeys.foreign })).status, 403)
    const socket = await live()
    assert.strictEqual(socket.status, 101)
    const { attempt_id } = JSON.parse(await (await dial()).text())
    const first = async (): Promise<unknown> => {
      const event = await socket.next()
      assert.isString(event)
      const { attempt_id: about, type } = JSON.parse(String(event))
      return about === attempt_id ? type : first()
    }
    assert.strictEqual(await first(), "attempt.started")
    socket.destroy()
  })

  it("rejects invalid handshakes", async () => {
    assert.strictEqual((await live(workspace, { ...key, "sec-websocket-key": "short" })).status, 400)
    assert.strictEqual((await live(workspace, { ...key, "sec-websocket-version": "8" })).status, 426)
  })

  it("ignores messages of WebSocket clients, and closes the socket on long ones", async () => {
    const socket = await live()
    socket.send("x".repeat(4_096))
    socket.send("x".repeat(4_097))
    assert.strictEqual((await socket.end()).code, 1009)
  })

  it("applies backpressure for a client that reads slowly, and loses no event", async () => {
    const socket = await live("/v1/orgs/acme/workspaces/side", { "api-subscription-key": testKeys.side })
    const told = () => bun.lines.filter((line) => line.startsWith("told")).length
    const settled = async (before: number): Promise<number> => {
      for (let askedCount = 0; askedCount < 20; askedCount++) await ask("/health")
      return told() === before && before > 0 ? before : settled(told())
    }
    assert.isBelow(await settled(0), flood / 2)
    for (let count = 1; count <= flood; count++) {
      const event = await socket.next()
      assert.strictEqual(typeof event === "string" && Date.parse(JSON.parse(event).at), count)
    }
    assert.strictEqual((await socket.end()).code, 1001)
  })
})

describe.runIf(bunRuns)("stopping to serve from Bun", () => {
  it("closes live feeds, lets requests finish, accepts no more, and then stops the engine", async () => {
    const bun = await startBun({ engine: scripted })
    const socket = await openSocket(bun, `${workspace}/calls/live`, key)
    const stream = await fetch(`${bun.url}${workspace}/calls/live`, { headers: key })
    const slow = fetch(`${bun.url}${workspace}/deployments?search=slow`, { headers: key })
    await bun.wrote("begun slow")
    const closed = bun.close()
    assert.deepStrictEqual(await socket.end(), { code: 1001, reason: "The server is shutting down" })
    assert.strictEqual(await stream.text(), ":\n\n")
    const late = await fetch(`${bun.url}/health`).then(() => "answered", () => "refused")
    assert.deepStrictEqual([(await slow).status, late], [200, "refused"])
    await closed
    assert.include(bun.lines, "stopped")
  })

  it("cuts requests that exceed the close timeout", async () => {
    const bun = await startBun({ engine: scripted, closeTimeout: 50 })
    const answer = fetch(`${bun.url}${workspace}/deployments?search=never`, { headers: key })
      .then(({ status }) => status, () => "cut")
    await bun.wrote("begun never")
    await bun.close()
    assert.include(["cut", 499, 503], await answer)
    assert.includeMembers([...bun.lines], ["interrupted", "stopped"])
  })

  it("rejects when the port is in use, and when the engine does not start", async () => {
    const bun = await startBun({ engine: scripted })
    const fails = (options: Parameters<typeof startBun>[0]) => startBun(options).then(() => "served", String)
    assert.include(await fails({ engine: scripted, port: Number(new URL(bun.url).port) }), "EADDRINUSE")
    await bun.close()
    assert.include(await fails({ engine: engineAt("NoEngine.ts") }), "no disk")
  })
})

describe("serve outside of Bun", () => {
  it("rejects", async () => {
    const refused = await serve(testEngine).then(() => "served", String)
    assert.include(refused, "under Bun")
  })
})
