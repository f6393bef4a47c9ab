import { HttpApp, HttpMiddleware } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Engine, type MemoryOptions } from "@trunkline/engine"
import { app, type ServerSocket, SocketUpgrade } from "@trunkline/http-api"
import { testEngineWith, testKeys } from "@trunkline/http-api/testing"
import { AccountId, KeyId, Load, planTable, RateLimits } from "@trunkline/rate-limits"
import { Context, Deferred, Effect, Option, Queue } from "effect"

const workspace = "/v1/orgs/acme/workspaces/main"

/** Allows this many live connections. */
const connections = (slots: number) => {
  const starter = { ...planTable.starter, connections: { ...planTable.starter.connections, calls_live: slots } }
  return RateLimits.layerMemory({ plans: { ...planTable, starter } })
}

type Asking = RequestInit & { readonly upgrade?: Effect.Effect<ServerSocket> }

/** Runs a program against an app without a server. */
const withApp = <A>(
  options: Pick<MemoryOptions, "limits" | "load">,
  program: (
    answer: (path: string, asking?: Asking) => Effect.Effect<Response>,
    engine: typeof Engine.Service
  ) => Effect.Effect<A>
) =>
  Effect.gen(function*() {
    const answer = HttpApp.toWebHandlerRuntime(yield* Effect.runtime<never>())(yield* app)
    return yield* program((path, { upgrade, ...init } = {}) =>
      Effect.promise(() =>
        answer(
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

/** Reads the body piece by piece until it holds a text. */
const readUntil = (response: Response, text: string) =>
  Effect.promise(async () => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let read = ""
    while (!read.includes(text)) {
      const piece = await reader?.read()
      if (piece?.done !== false) break
      read += piece.value
    }
    return { read, cancel: () => reader?.cancel() }
  })

/** A socket that keeps what it was sent. */
const socket = Effect.gen(function*() {
  const sent = yield* Queue.unbounded<string>()
  const left = yield* Deferred.make<readonly [number, string]>()
  const gone = yield* Deferred.make<void>()
  const opened: ServerSocket = {
    send: (text) => Queue.offer(sent, text),
    close: (code, reason) => Deferred.succeed(left, [code, reason] as const),
    closed: Deferred.await(gone)
  }
  return { opened, sent, left: Deferred.await(left), leave: Deferred.succeed(gone, undefined) }
})

const typeOf = (text: string) => JSON.parse(text).type

describe("calls as they go on", () => {
  it.live("are server-sent events, from the dial to the result, without a whole number", () =>
    withApp({}, (answer) =>
      Effect.gen(function*() {
        const response = yield* answer(`${workspace}/calls/live`)
        assert.deepStrictEqual(
          [response.status, response.headers.get("content-type"), response.headers.get("cache-control")],
          [200, "text/event-stream", "no-store, no-transform"]
        )
        yield* answer(`${workspace}/outbounds`, outbound)
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

  it.live("are text frames where a WebSocket is asked for, until the client leaves", () =>
    withApp({ limits: connections(1) }, (answer) =>
      Effect.gen(function*() {
        const first = yield* socket
        const ended = yield* Effect.fork(answer(`${workspace}/calls/live`, { upgrade: Effect.succeed(first.opened) }))
        yield* Effect.sleep("10 millis")
        yield* answer(`${workspace}/outbounds`, outbound)
        const event = JSON.parse(yield* Queue.take(first.sent))
        assert.deepInclude(event, { type: "attempt.started", kind: "outbound", user_contact_masked: "******3210" })
        const second = yield* socket
        yield* answer(`${workspace}/calls/live`, { upgrade: Effect.succeed(second.opened) })
        const [code, reason] = yield* second.left
        assert.strictEqual(code, 1003)
        assert.match(reason, /rate limit/i)
        assert.isAtMost(Buffer.byteLength(reason), 123)
        yield* first.leave
        yield* ended
        const third = yield* socket
        const again = yield* Effect.fork(answer(`${workspace}/calls/live`, { upgrade: Effect.succeed(third.opened) }))
        yield* Effect.sleep("10 millis")
        assert.isTrue(Option.isNone(yield* Effect.timeoutOption(third.left, "1 millis")))
        yield* third.leave
        yield* again
      })))

  it.live("are refused as events beyond the limit, until one who watched has gone", () =>
    withApp({ limits: connections(1) }, (answer) =>
      Effect.gen(function*() {
        const first = yield* answer(`${workspace}/calls/live`)
        const refused = yield* answer(`${workspace}/calls/live`)
        assert.strictEqual(refused.status, 429)
        assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        yield* Effect.promise(async () => first.body?.cancel())
        yield* Effect.sleep("20 millis")
        const second = yield* answer(`${workspace}/calls/live`)
        assert.strictEqual(second.status, 200)
        yield* Effect.promise(async () => second.body?.cancel())
      })))

  it.live("end when the engine stops", () =>
    withApp({}, (answer, engine) =>
      Effect.gen(function*() {
        const stream = yield* answer(`${workspace}/calls/live`)
        const watching = yield* socket
        yield* Effect.fork(answer(`${workspace}/calls/live`, { upgrade: Effect.succeed(watching.opened) }))
        yield* Effect.sleep("10 millis")
        yield* engine.live.close
        assert.strictEqual((yield* watching.left)[0], 1001)
        assert.strictEqual(yield* Effect.promise(() => stream.text()), ":\n\n")
      })))

  it.live("end soon after their key was revoked", () =>
    withApp({}, (answer, engine) =>
      Effect.gen(function*() {
        const stream = yield* answer(`${workspace}/calls/live`)
        const watching = yield* socket
        yield* Effect.fork(answer(`${workspace}/calls/live`, { upgrade: Effect.succeed(watching.opened) }))
        yield* Effect.sleep("10 millis")
        yield* Effect.orDie(engine.keys.revoke(AccountId.make("acme"), KeyId.make("main")))
        assert.strictEqual((yield* watching.left)[0], 1008)
        assert.strictEqual(yield* Effect.promise(() => stream.text()), ":\n\n")
      })))

  it.live("can be those of one campaign", () =>
    withApp({}, (answer) =>
      Effect.gen(function*() {
        const watching = yield* socket
        const path = `${workspace}/calls/live?campaign_id=camp-000000000000`
        const ended = yield* Effect.fork(answer(path, { upgrade: Effect.succeed(watching.opened) }))
        const all = yield* socket
        yield* Effect.fork(answer(`${workspace}/calls/live`, { upgrade: Effect.succeed(all.opened) }))
        yield* Effect.sleep("10 millis")
        yield* answer(`${workspace}/outbounds`, outbound)
        yield* Effect.iterate("", {
          while: (type) => type !== "attempt.ended",
          body: () => Effect.map(Queue.take(all.sent), typeOf)
        })
        assert.strictEqual(yield* Queue.size(watching.sent), 0)
        yield* watching.leave
        yield* ended
      })))

  it.live("need a key of the workspace, before any upgrade", () =>
    withApp({}, (answer) =>
      Effect.gen(function*() {
        const upgrade = Effect.die("Nobody may come in")
        for (const key of ["", testKeys.side, testKeys.foreign]) {
          const refused = yield* answer(`${workspace}/calls/live`, {
            headers: { "api-subscription-key": key },
            upgrade
          })
          assert.strictEqual(refused.status, 403)
        }
      })))
})

describe("a server under load", () => {
  it.live("refuses the least important first, with 503 and Retry-After, and never what calls depend on", () =>
    withApp({ load: Load.layer({ inFlight: 0.5 }) }, (answer) =>
      Effect.gen(function*() {
        const list = yield* answer(`${workspace}/deployments`)
        assert.deepStrictEqual([list.status, list.headers.get("retry-after")], [503, "5"])
        assert.include(yield* Effect.promise(() => list.text()), `"code":"rate_limit_exceeded_error"`)
        assert.strictEqual((yield* answer(`${workspace}/outbounds`, outbound)).status, 200)
        const paused = yield* answer(`${workspace}/campaigns/camp-1/status`, {
          method: "PUT",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ action: "pause" })
        })
        assert.strictEqual(paused.status, 404)
        assert.strictEqual((yield* answer("/health")).status, 200)
        const keyless = yield* answer(`${workspace}/deployments`, { headers: { "api-subscription-key": "" } })
        assert.strictEqual(keyless.status, 403)
      })))

  it.live("lets people in who come by themselves, when it is too busy for files of them", () =>
    withApp({ load: Load.layer({ inFlight: 0.8 }) }, (answer) =>
      Effect.gen(function*() {
        const cohorts = `${workspace}/campaigns/camp-1/cohorts`
        const post = (path: string, body: object) =>
          answer(path, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ name: "June", ...body })
          })
        const fromUrl = { source: { url: "https://files.example/" }, cohort_transformation: {} }
        assert.strictEqual((yield* post(cohorts, fromUrl)).status, 503)
        assert.strictEqual((yield* post(`${cohorts}/upload`, {})).status, 503)
        assert.strictEqual((yield* answer(`${cohorts}/coh-1/files?file_type=cohort`)).status, 503)
        assert.strictEqual((yield* post(`${cohorts}/stream`, { users: [{ user_phone_number: "1" }] })).status, 404)
      })))
})
