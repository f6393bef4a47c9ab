import { assert, describe, it } from "@effect/vitest"
import type { DoubleCallee } from "@trunkline/carrier-http/testing"
import { CallEvents, type Carrier, type Connection } from "@trunkline/telephony"
import { webhookHeaders } from "@trunkline/webhooks"
import { Effect, Fiber, Schema } from "effect"
import { Call } from "../src/Protocol.js"
import { carrierTo, connectionTo, events, eventsIn, eventsSecret, planFor, pushed } from "./World.js"

const rings: DoubleCallee = { kind: "no_answer", afterMillis: 60_000 }

/** No polling happens within a test. */
const seldom = { poll_seconds: 60 }

const eventOf = (event_id: string, state: string, result: unknown = null, call_id = "call-1") => ({
  event_id,
  call: { call_id, attempt_id: null, state, started_at: "2026-11-22T10:00:00Z", result }
})

const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body))

/** Events that the carrier reads from a push signed at the given time with the given secret. */
const read = (
  carrier: Carrier,
  connection: Connection,
  body: Uint8Array,
  { secret = eventsSecret, timestamp = Math.floor(Date.now() / 1000) } = {}
) =>
  Effect.flatMap(
    webhookHeaders([secret], { id: "push-1", timestamp, body }),
    (headers) =>
      Effect.map(carrier.readEvents?.({ ...pushed, headers, body, connection }) ?? Effect.succeed([]), eventsIn)
  )

/** Pushes events like a provider, into the engine's store. */
const push = (carrier: Carrier, connection: Connection, ...news: ReadonlyArray<unknown>) =>
  Effect.flatMap(
    read(carrier, connection, bytesOf({ events: news })),
    (events) => Effect.flatMap(CallEvents, ({ receive }) => receive("http", events))
  )

const ringing = Effect.gen(function*() {
  const { carrier, connection, provider } = yield* carrierTo({ secondMillis: 1_000, default: rings }, seldom)
  return { carrier, connection, provider, call: yield* carrier.place(planFor(connection)) }
})

describe("pushed events", () => {
  it.scopedLive("are accepted when they are signed, recent and valid", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo()
      const busy = { status: "busy", reason: "declined" }
      const body = bytesOf({ events: [eventOf("e1", "queued"), eventOf("e2", "ringing"), eventOf("e3", "over", busy)] })
      const about = { provider_call_id: "line-1:call-1", attempt_id: null }
      assert.deepStrictEqual(yield* read(carrier, connection, body), [
        { ...about, event_id: "line-1:e2", news: { _tag: "Ringing" } },
        { ...about, event_id: "line-1:e3", news: { _tag: "Ended", status: "busy", reason: "declined" } }
      ])
      const why = (request: ReturnType<typeof read>) => Effect.map(Effect.flip(request), (refused) => refused.why)
      assert.strictEqual(yield* why(read(carrier, connection, body, { secret: "another" })), "signature")
      assert.strictEqual(yield* why(read(carrier, connection, body, { timestamp: 1_700_000_000 })), "signature")
      const silent = connectionTo(provider.url, { events_secret_env: "NO_SUCH_VARIABLE" })
      assert.strictEqual(yield* why(read(carrier, silent, body)), "signature")
      for (
        const odd of [{}, { events: [] }, { events: [{ event_id: "", call: {} }] }, { events: [eventOf("e", "off")] }]
      ) {
        assert.strictEqual(yield* why(read(carrier, connection, bytesOf(odd))), "malformed")
      }
      assert.strictEqual(yield* why(read(carrier, connection, new Uint8Array(65_537))), "malformed")
    }).pipe(Effect.provide(events)))

  it.scopedLive("are all rejected when one of them is invalid, with its index and fields", () =>
    Effect.gen(function*() {
      const { carrier, connection } = yield* carrierTo()
      const issues = (body: Uint8Array) =>
        Effect.map(Effect.flip(read(carrier, connection, body)), (refused) => refused.issues)
      const bad = {
        event_id: "",
        call: { call_id: "+919876543210", state: "off", started_at: "+919876543210", result: { status: "gone" } }
      }
      const issueList = yield* issues(bytesOf({ events: [eventOf("e1", "ringing"), bad, eventOf("e3", "over")] }))
      const inEvents = ["body", "events"]
      assert.deepStrictEqual(issueList.map(({ loc }) => loc), [
        [...inEvents, 1, "event_id"],
        [...inEvents, 1, "call", "call_id"],
        [...inEvents, 1, "call", "state"],
        [...inEvents, 1, "call", "started_at"],
        [...inEvents, 1, "call", "result", "status"],
        [...inEvents, 2, "call", "result"],
        inEvents
      ])
      assert.deepStrictEqual(issueList.slice(-2).map(({ msg }) => msg), [
        "A call that has ended needs a result",
        "No event of this push was stored: push the valid events again without the invalid ones"
      ])
      assert.notInclude(JSON.stringify(issueList), "9876543210")
    }).pipe(Effect.provide(events)))

  it.scopedLive("report the problem of an invalid push", () =>
    Effect.gen(function*() {
      const { carrier, connection } = yield* carrierTo()
      const issue = (body: Uint8Array) =>
        Effect.map(Effect.flip(read(carrier, connection, body)), ({ issues: [first] }) => first)
      const events = Array.from({ length: 101 }, (_, at) => eventOf(`e${at}`, "ringing"))
      const inEvents = ["body", "events"]
      assert.deepInclude(yield* issue(bytesOf({})), { loc: inEvents, type: "missing" })
      assert.deepInclude(yield* issue(bytesOf({ events: [] })), { loc: inEvents, type: "too_short" })
      assert.deepInclude(yield* issue(bytesOf({ events })), { loc: inEvents, type: "too_long" })
      assert.deepInclude(yield* issue(new TextEncoder().encode("{")), { loc: ["body"], type: "json_invalid" })
      assert.deepInclude(yield* issue(new Uint8Array(65_537)), { loc: ["body"], type: "too_long" })
    }).pipe(Effect.provide(events)))

  it.scopedLive("need a result, unlike the responses to lookups", () =>
    Effect.gen(function*() {
      const snapshot = { call_id: "c", state: "over", started_at: "2026-11-22T10:00:00Z", result: null }
      assert.isNull((yield* Schema.decodeUnknown(Call)(snapshot)).result)
    }))

  it.scopedLive("report an answered call without polling", () =>
    Effect.gen(function*() {
      const { call, carrier, connection, provider } = yield* ringing
      const waiting = yield* Effect.fork(call.answer)
      yield* Effect.sleep(20)
      yield* push(carrier, connection, eventOf("e1", "ringing"), eventOf("e2", "talking"))
      yield* Fiber.join(waiting)
      assert.strictEqual(provider.requests.length, 1)
    }).pipe(Effect.provide(events)))

  it.scopedLive("can arrive before the response to the request, twice, and in any order", () =>
    Effect.gen(function*() {
      const { carrier, connection } = yield* carrierTo({ secondMillis: 1_000, default: rings }, seldom)
      const over = eventOf("e3", "over", { status: "no_answer" })
      yield* push(carrier, connection, over)
      yield* push(carrier, connection, eventOf("e1", "ringing"), over)
      const call = yield* carrier.place(planFor(connection))
      assert.deepInclude(yield* Effect.flip(call.answer), { status: "no_answer", reason: null })
    }).pipe(Effect.provide(events)))

  it.scopedLive("of one connection do not affect calls of another", () =>
    Effect.gen(function*() {
      const { call, carrier, connection, provider } = yield* ringing
      const other = connectionTo(provider.url, seldom, "line-2")
      const waiting = yield* Effect.fork(Effect.flip(call.answer))
      const busy = bytesOf({ events: [eventOf("e1", "over", { status: "busy" })] })
      const [theirs] = yield* read(carrier, other, busy)
      assert.strictEqual(theirs?.provider_call_id, "line-2:call-1")
      yield* push(carrier, connection, eventOf("e1", "over", { status: "failed", reason: "invalid_number" }))
      assert.deepInclude(yield* Fiber.join(waiting), { status: "failed", reason: "http: invalid_number" })
    }).pipe(Effect.provide(events)))

  it.scopedLive("are replaced by polling when none arrive", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo({
        rules: [{ suffix: "7", callee: { kind: "provider_error", afterMillis: 20, reason: "trunk_down" } }]
      })
      yield* (yield* carrier.place(planFor(connection))).answer
      const failed = yield* carrier.place(planFor(connection, "+919876543217"))
      provider.injectFault("call", { kind: "cut", when: "before" })
      assert.deepInclude(yield* Effect.flip(failed.answer), { status: "provider_error", reason: "http: trunk_down" })
      const lost = yield* carrier.place(planFor(connection))
      provider.injectFault("call", { kind: "status", when: "before", status: 404 })
      assert.deepInclude(yield* Effect.flip(lost.answer), {
        status: "provider_error",
        reason: "http: the provider no longer knows the call"
      })
    }).pipe(Effect.provide(events)))
})
