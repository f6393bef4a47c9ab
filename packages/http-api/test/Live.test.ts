import { HttpApp, HttpMiddleware } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Engine, type MemoryOptions } from "@trunkline/engine"
import { app, type ServerSocket, SocketUpgrade } from "@trunkline/http-api"
import { testEngineWith, testKeys } from "@trunkline/http-api/testing"
import { AccountId, KeyId, Load, planTable, RateLimits } from "@trunkline/rate-limits"
import { Context, Deferred, Effect, Option, Queue, Schema } from "effect"
import { campaign } from "./JsonClient.js"

const workspace = "/v1/orgs/acme/workspaces/main"

/** Allows this many live connections at a time. */
const connectionLimit = (slots: number) => {
  const starter = { ...planTable.starter, connections: { ...planTable.starter.connections, calls_live: slots } }
  return RateLimits.layerMemory({ plans: { ...planTable, starter } })
}

type SendOptions = RequestInit & { readonly upgrade?: Effect.Effect<ServerSocket> }

/** Runs a program that sends requests to the app, without a server. */
const withApp = <A>(
  options: Pick<MemoryOptions, "limits" | "load">,
  program: (
    send: (path: string, options?: SendOptions) => Effect.Effect<Response>,
    engine: typeof Engine.Service
  ) => Effect.Effect<A>
) =>
  Effect.gen(function*() {
    const handle = HttpApp.toWebHandlerRuntime(yield* Effect.runtime<never>())(yield* app)
    return yield* program((path, { upgrade, ...init } = {}) =>
      Effect.promise(() =>
        handle(
          new Request(`http://localhost${path}`, {
            ...init,
            headers: { "api-subscription-key": testKeys.main, ...init.headers }
          }),
          Context.make(SocketUpgrade, Option.fromNullable(upgrade))
        )
      ), yield* Engine)
  }).pipe(
    HttpMiddleware.withTracerDisabledWhenEffect(() => true),
    Effect.provide(testEngineWith(options))
  )

const outbound = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    app_config: {
      app_id: "collections",
      app_version: 1,
      connection_config: { connection_id: "sim-1", agent_phone_number: "+911140000003" }
    },
    user_config: { user_phone_number: "+919876543210" }
  })
}

/** Reads the body until it contains a text. */
const readUntil = (response: Response, text: string) =>
  Effect.promise(async () => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let read = ""
    while (!read.includes(text)) {
      const chunk = await reader?.read()
      if (chunk?.done !== false) break
      read += chunk.value
    }
    return { read, cancel: () => reader?.cancel() }
  })

/** Makes a socket that records the frames it is sent. */
const makeSocket = Effect.gen(function*() {
  const sent = yield* Queue.unbounded<string>()
  const closing = yield* Deferred.make<readonly [number, string]>()
  const disconnected = yield* Deferred.make<void>()
  const server: ServerSocket = {
    send: (text) => Queue.offer(sent, text),
    close: (code, reason) => Deferred.succeed(closing, [code, reason] as const),
    closed: Deferred.await(disconnected),
    frames: { post: () => undefined, waitingBytes: () => 0, hear: () => undefined, close: () => undefined }
  }
  return { server, sent, closing: Deferred.await(closing), disconnect: Deferred.succeed(disconnected, undefined) }
})

const typeOf = (text: string) => JSON.parse(text).type

describe("live events of calls", () => {
  it.live("are server-sent events from the dial to the result, with masked phone numbers", () =>
    withApp({}, (send) =>
      Effect.gen(function*() {
        const response = yield* send(`${workspace}/calls/live`)
        assert.deepStrictEqual(
          [response.status, response.headers.get("content-type"), response.headers.get("cache-control")],
          [200, "text/event-stream", "no-store, no-transform"]
        )
        yield* send(`${workspace}/outbounds`, outbound)
        const { cancel, read } = yield* readUntil(response, "event: attempt.ended")
        yield* Effect.promise(async () => cancel())
        const types = Array.from(read.matchAll(/^event: (.*)$/gm), ([, type]) => type)
        assert.deepStrictEqual(Array.from(new Set(types)), [
          "attempt.started",
          "attempt.answered",
          "turn",
          "attempt.ended"
        ])
        assert.include(read, "******3210")
        assert.notInclude(read, "+919876543210")
      })))

  it.live("are text frames over a WebSocket until the client disconnects", () =>
    withApp({ limits: connectionLimit(1) }, (send) =>
      Effect.gen(function*() {
        const first = yield* makeSocket
        const ended = yield* Effect.fork(send(`${workspace}/calls/live`, { upgrade: Effect.succeed(first.server) }))
        yield* Effect.sleep("10 millis")
        yield* send(`${workspace}/outbounds`, outbound)
        const event = JSON.parse(yield* Queue.take(first.sent))
        assert.deepInclude(event, { type: "attempt.started", kind: "outbound", user_contact_masked: "******3210" })
        const second = yield* makeSocket
        yield* send(`${workspace}/calls/live`, { upgrade: Effect.succeed(second.server) })
        const [code, reason] = yield* second.closing
        assert.strictEqual(code, 1003)
        assert.match(reason, /rate limit/i)
        assert.isAtMost(Buffer.byteLength(reason), 123)
        yield* first.disconnect
        yield* ended
        const third = yield* makeSocket
        const again = yield* Effect.fork(send(`${workspace}/calls/live`, { upgrade: Effect.succeed(third.server) }))
        yield* Effect.sleep("10 millis")
        assert.isTrue(Option.isNone(yield* Effect.timeoutOption(third.closing, "1 millis")))
        yield* third.disconnect
        yield* again
      })))

  it.live("are limited to a number of connections at a time", () =>
    withApp({ limits: connectionLimit(1) }, (send) =>
      Effect.gen(function*() {
        const first = yield* send(`${workspace}/calls/live`)
        const limited = yield* send(`${workspace}/calls/live`)
        assert.strictEqual(limited.status, 429)
        assert.match(limited.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        yield* Effect.promise(async () => first.body?.cancel())
        yield* Effect.sleep("20 millis")
        const second = yield* send(`${workspace}/calls/live`)
        assert.strictEqual(second.status, 200)
        yield* Effect.promise(async () => second.body?.cancel())
      })))

  it.live("end when the engine stops", () =>
    withApp({}, (send, engine) =>
      Effect.gen(function*() {
        const stream = yield* send(`${workspace}/calls/live`)
        const watching = yield* makeSocket
        yield* Effect.fork(send(`${workspace}/calls/live`, { upgrade: Effect.succeed(watching.server) }))
        yield* Effect.sleep("10 millis")
        yield* engine.live.close
        assert.strictEqual((yield* watching.closing)[0], 1001)
        assert.strictEqual(yield* Effect.promise(() => stream.text()), ":\n\n")
      })))

  it.live("end soon after the key is revoked", () =>
    withApp({}, (send, engine) =>
      Effect.gen(function*() {
        const stream = yield* send(`${workspace}/calls/live`)
        const watching = yield* makeSocket
        yield* Effect.fork(send(`${workspace}/calls/live`, { upgrade: Effect.succeed(watching.server) }))
        yield* Effect.sleep("10 millis")
        yield* Effect.orDie(engine.keys.revoke(AccountId.make("acme"), KeyId.make("main")))
        assert.strictEqual((yield* watching.closing)[0], 1008)
        assert.strictEqual(yield* Effect.promise(() => stream.text()), ":\n\n")
      })))

  it.live("can be filtered by campaign", () =>
    withApp({}, (send) =>
      Effect.gen(function*() {
        const watching = yield* makeSocket
        const created = yield* send(`${workspace}/campaigns`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(campaign)
        })
        const { campaign_id } = Schema.decodeUnknownSync(Schema.Struct({ campaign_id: Schema.String }))(
          yield* Effect.promise(() => created.json())
        )
        const path = `${workspace}/calls/live?campaign_id=${campaign_id}`
        const ended = yield* Effect.fork(send(path, { upgrade: Effect.succeed(watching.server) }))
        const all = yield* makeSocket
        yield* Effect.fork(send(`${workspace}/calls/live`, { upgrade: Effect.succeed(all.server) }))
        yield* Effect.sleep("10 millis")
        yield* send(`${workspace}/outbounds`, outbound)
        yield* Effect.iterate("", {
          while: (type) => type !== "attempt.ended",
          body: () => Effect.map(Queue.take(all.sent), typeOf)
        })
        assert.strictEqual(yield* Queue.size(watching.sent), 0)
        yield* watching.disconnect
        yield* ended
      })))

  it.live("are none of a campaign that does not exist", () =>
    withApp({}, (send) =>
      Effect.gen(function*() {
        const missing = yield* send(`${workspace}/calls/live?campaign_id=camp-000000000000`)
        assert.strictEqual(missing.status, 404)
      })))

  it.live("require a key of the workspace before an upgrade", () =>
    withApp({}, (send) =>
      Effect.gen(function*() {
        const upgrade = Effect.die("The request must be rejected before the upgrade")
        for (const key of ["", testKeys.side, testKeys.foreign]) {
          const refused = yield* send(`${workspace}/calls/live`, {
            headers: { "api-subscription-key": key },
            upgrade
          })
          assert.strictEqual(refused.status, 403)
        }
      })))
})

describe("a server under load", () => {
  it.live("sheds the least important requests first, with 503 and Retry-After, and never those that calls depend on", () =>
    withApp({ load: Load.layer({ inFlight: 0.5 }) }, (send) =>
      Effect.gen(function*() {
        const list = yield* send(`${workspace}/deployments`)
        assert.deepStrictEqual([list.status, list.headers.get("retry-after")], [503, "5"])
        assert.include(yield* Effect.promise(() => list.text()), `"code":"rate_limit_exceeded_error"`)
        assert.strictEqual((yield* send(`${workspace}/outbounds`, outbound)).status, 200)
        const paused = yield* send(`${workspace}/campaigns/camp-1/status`, {
          method: "PUT",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ action: "pause" })
        })
        assert.strictEqual(paused.status, 404)
        assert.strictEqual((yield* send("/health")).status, 200)
        const keyless = yield* send(`${workspace}/deployments`, { headers: { "api-subscription-key": "" } })
        assert.strictEqual(keyless.status, 403)
      })))

  it.live("accepts streamed contacts while it sheds uploads of files", () =>
    withApp({ load: Load.layer({ inFlight: 0.8 }) }, (send) =>
      Effect.gen(function*() {
        const cohorts = `${workspace}/campaigns/camp-1/cohorts`
        const post = (path: string, body: object) =>
          send(path, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ name: "June", ...body })
          })
        const fromUrl = { source: { url: "https://files.example/" }, cohort_transformation: {} }
        assert.strictEqual((yield* post(cohorts, fromUrl)).status, 503)
        assert.strictEqual((yield* post(`${cohorts}/upload`, {})).status, 503)
        assert.strictEqual((yield* send(`${cohorts}/coh-1/files?file_type=cohort`)).status, 503)
        assert.strictEqual((yield* post(`${cohorts}/stream`, { users: [{ user_phone_number: "1" }] })).status, 404)
      })))
})
