import { assert, describe, it } from "@effect/vitest"
import { speechServer } from "@trunkline/transcriber-websocket/testing"
import type { RealtimeEvent } from "@trunkline/turn-taking"
import { Effect, Exit, Redacted } from "effect"
import { ModelRealtime, type RealtimeOptions } from "../src/index.js"
import { realtimeDouble } from "../src/testing.js"

const serve = (options: Partial<Parameters<typeof realtimeDouble>[0]> = {}) =>
  speechServer(realtimeDouble({ answer: () => ({ text: "Hello." }), ...options }).protocol)

const openAt = (url: string, options: RealtimeOptions = {}, events: Array<RealtimeEvent> = []) =>
  Effect.flatMap(
    ModelRealtime.make({
      url,
      apiKey: Redacted.make("sk-secret"),
      allowInsecureUrls: true,
      allowPrivateUrls: true,
      ...options
    }),
    ({ open }) =>
      open({
        rate: 8_000,
        setup: { instructions: "", tools: [] },
        history: [],
        onEvent: (event) => void events.push(event)
      })
  )

const until = (events: ReadonlyArray<RealtimeEvent>, tag: RealtimeEvent["_tag"]) =>
  Effect.repeat(Effect.sleep("5 millis"), { until: () => events.some(({ _tag }) => _tag === tag) })

const failureIn = (events: ReadonlyArray<RealtimeEvent>) =>
  events.flatMap((event) => event._tag === "Ended" || event._tag === "Refused" ? [event.failure.message] : [])

describe("a session that cannot be opened", () => {
  const refusals = [
    [401, {}, "refused our key"],
    [429, { error: { code: "insufficient_quota" } }, "used up"],
    [404, { error: { code: "model_not_found" } }, "check its name"],
    [503, {}, "out of service"]
  ] as const
  for (const [status, body, told] of refusals) {
    it.scopedLive(`fails with what to do after a refusal with ${status}`, () =>
      Effect.gen(function*() {
        const server = yield* serve()
        server.refuse({ status, body: JSON.stringify(body) })
        const failure = yield* Effect.flip(openAt(server.url))
        assert.include(failure.message, told)
        assert.notInclude(JSON.stringify(failure), "sk-secret")
      }))
  }

  it.scopedLive("fails in time when the server does not begin one, and at once when it goes away", () =>
    Effect.gen(function*() {
      const server = yield* serve()
      server.speak(() => () => {})
      const late = yield* Effect.flip(openAt(server.url, { connectTimeout: "50 millis" }))
      assert.strictEqual(late._tag, "ModelTimedOut")
      server.speak((peer) => {
        peer.close(1011)
        return () => {}
      })
      assert.strictEqual((yield* Effect.flip(openAt(server.url)))._tag, "ModelFailed")
      server.speak((peer) => {
        peer.send(JSON.stringify({ type: "error", error: { type: "invalid_request_error", code: "invalid_api_key" } }))
        return () => {}
      })
      assert.include((yield* Effect.flip(openAt(server.url))).message, "refused our key")
    }))

  it.scopedLive("asks no private address and no address without encryption unless it may", () =>
    Effect.gen(function*() {
      const server = yield* serve()
      const refused = yield* Effect.flip(openAt(server.url, { allowPrivateUrls: false }))
      assert.include(refused.message, "not public")
      const died = yield* Effect.exit(openAt(server.url, { allowInsecureUrls: false }))
      assert.isTrue(Exit.isFailure(died))
    }))
})

describe("a session that ends", () => {
  it.scopedLive("tells when it expires, and that it has", () =>
    Effect.gen(function*() {
      const events: Array<RealtimeEvent> = []
      const server = yield* serve({ expiresAt: 2_000_000_000 })
      const { expiresAt } = yield* openAt(server.url, {}, events)
      assert.strictEqual(expiresAt, 2_000_000_000_000)
      server.peers[0]?.send(
        JSON.stringify({
          type: "error",
          error: { type: "invalid_request_error", code: "session_expired", message: "60" }
        })
      )
      yield* until(events, "Ended")
      assert.deepStrictEqual(failureIn(events), ["A session of the realtime model reached its longest time"])
    }))

  it.scopedLive("tells that its connection broke", () =>
    Effect.gen(function*() {
      const events: Array<RealtimeEvent> = []
      const server = yield* serve()
      yield* openAt(server.url, {}, events)
      server.peers[0]?.cut()
      yield* until(events, "Ended")
      assert.deepStrictEqual(failureIn(events), ["The connection to the realtime model broke off"])
    }))

  it.scopedLive("ends with its settings refused, and not with what it can live with", () =>
    Effect.gen(function*() {
      const events: Array<RealtimeEvent> = []
      const server = yield* serve()
      const session = yield* openAt(server.url, {}, events)
      const report = (error: Readonly<Record<string, unknown>>) =>
        server.peers[0]?.send(JSON.stringify({ type: "error", error }))
      report({ code: "response_cancel_not_active" })
      report({ code: "some_new_code", message: "with words of the caller" })
      session.send({ _tag: "Respond", reply: 1, words: null })
      yield* until(events, "Responded")
      assert.deepStrictEqual(failureIn(events), [])
      report({ code: "invalid_value", param: "session.audio.output.voice" })
      yield* until(events, "Ended")
      assert.lengthOf(failureIn(events), 1)
    }))

  it.scopedLive("refuses an answer, and goes on", () =>
    Effect.gen(function*() {
      const events: Array<RealtimeEvent> = []
      const server = yield* serve({ fault: () => "rate_limit_exceeded" })
      const session = yield* openAt(server.url, {}, events)
      session.send({ _tag: "Respond", reply: 1, words: null })
      yield* until(events, "Refused")
      server.peers[0]?.send(JSON.stringify({ type: "error", error: { code: "server_error", event_id: "reply_2" } }))
      session.send({ _tag: "Respond", reply: 2, words: null })
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => failureIn(events).length >= 2 })
      assert.include(failureIn(events)[0], "enough requests")
    }))
})
