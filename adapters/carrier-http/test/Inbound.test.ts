import { assert, describe, it } from "@effect/vitest"
import type { DoubleCall } from "@trunkline/carrier-http/testing"
import { PhoneNumber } from "@trunkline/kernel"
import type { Carrier, Connection, EventRefused, InboundOffer } from "@trunkline/telephony"
import { webhookHeaders } from "@trunkline/webhooks"
import { Chunk, Duration, Effect, Option, Stream } from "effect"
import { carrierTo, connectionTo, events, eventsIn, eventsSecret, pushed } from "./World.js"

const [caller, line] = [PhoneNumber.make("+919876543210"), PhoneNumber.make("+911140000001")]

/** A person who does not give up within a test. */
const person = { from: caller, to: line, ringSeconds: 10_000 }

/** Pushes calls like a provider. */
const push = (carrier: Carrier, connection: Connection, ...calls: ReadonlyArray<unknown>) =>
  Effect.gen(function*() {
    const news = calls.map((call, index) => ({ event_id: `e${index}-${JSON.stringify(call)}`.slice(0, 60), call }))
    const body = new TextEncoder().encode(JSON.stringify({ events: news }))
    const headers = yield* webhookHeaders([eventsSecret], {
      id: "push-1",
      timestamp: Math.floor(Date.now() / 1000),
      body
    })
    return eventsIn(yield* carrier.readEvents?.({ ...pushed, headers, body, connection }) ?? Effect.succeed([]))
  })

/** The offers that were made so far. */
const offered = (carrier: Carrier): Effect.Effect<ReadonlyArray<InboundOffer>> =>
  Stream.runCollect(carrier.offers.pipe(Stream.interruptAfter("30 millis"))).pipe(Effect.map(Chunk.toReadonlyArray))

const only = (offers: ReadonlyArray<InboundOffer>): InboundOffer => {
  const [offer, ...others] = offers
  if (offer === undefined) throw new Error("no call was offered")
  assert.lengthOf(others, 0)
  return offer
}

/** A ringing call, with its offer. */
const ringing = Effect.gen(function*() {
  const world = yield* carrierTo()
  const call = world.provider.callIn({ ...person, says: ["Hello?"] })
  yield* push(world.carrier, world.connection, call.json())
  return { ...world, call, offer: only(yield* offered(world.carrier)) }
})

/** Completes once a call has ended. */
const over = (call: DoubleCall) =>
  Effect.sleep(2).pipe(Effect.repeat({ until: () => call.isOver() }), Effect.timeout("60 seconds"), Effect.orDie)

describe("an inbound call", () => {
  it.scopedLive("is offered with its numbers, answered, and talks in turns", () =>
    Effect.gen(function*() {
      const { call, connection, offer } = yield* ringing
      assert.deepInclude(offer, { provider_call_id: "line-1:call-1", connection, from: caller, to: line })
      const leg = yield* offer.accept
      if ("play" in leg) return assert.fail("the call has no words")
      const speech = yield* leg.say({ text: "Hello", language_name: "English", interruptible: true })
      assert.deepInclude(speech, { heard: "Hello", interrupted: false })
      assert.deepInclude(yield* leg.listen(Duration.seconds(5)), { _tag: "Said", text: "Hello?" })
      yield* leg.hangUp
      yield* over(call)
      assert.deepInclude(call.json(), { state: "over", result: { status: "connected", reason: null } })
    }).pipe(Effect.provide(events)))

  it.scopedLive("is offered once, however often its events arrive", () =>
    Effect.gen(function*() {
      const { call, carrier, connection, offer } = yield* ringing
      yield* push(carrier, connection, call.json(), call.json())
      yield* offer.accept
      yield* push(carrier, connection, { ...call.json(), state: "ringing" })
      assert.deepStrictEqual(yield* offered(carrier), [])
    }).pipe(Effect.provide(events)))

  it.scopedLive("is not offered when it is over before its event of ringing arrives", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo()
      const call = provider.callIn(person)
      const first = call.json()
      call.leave()
      const read = yield* push(carrier, connection, call.json(), first)
      assert.deepStrictEqual(read.map(({ news }) => news), [
        { _tag: "Ended", status: "no_answer", reason: null },
        { _tag: "Ringing" }
      ])
      assert.deepStrictEqual(yield* offered(carrier), [])
    }).pipe(Effect.provide(events)))

  it.scopedLive("is refused while it rings by a process that takes no calls, and its other events are read", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo({}, {}, { takesCalls: false })
      const call = provider.callIn(person)
      assert.deepInclude(yield* Effect.flip(push(carrier, connection, call.json())), { why: "not_taken" })
      call.leave()
      const read = yield* push(carrier, connection, call.json())
      assert.deepStrictEqual(read.map(({ news }) => news._tag), ["Ended"])
      assert.deepStrictEqual(yield* offered(carrier), [])
    }).pipe(Effect.provide(events)))

  it.scopedLive("is rejected with the reason", () =>
    Effect.gen(function*() {
      const { call, offer } = yield* ringing
      yield* offer.reject("outside_schedule")
      assert.deepStrictEqual([call.isOver(), call.rejection()], [true, "outside_schedule"])
    }).pipe(Effect.provide(events)))

  it.scopedLive("cannot be answered after the caller has hung up", () =>
    Effect.gen(function*() {
      const { call, offer } = yield* ringing
      call.leave()
      assert.deepInclude(yield* Effect.flip(offer.accept), { status: "no_answer", reason: "http: the caller hung up" })
    }).pipe(Effect.provide(events)))

  it.scopedLive("is answered again when the response is lost, and hung up when there is none", () =>
    Effect.gen(function*() {
      const first = yield* ringing
      first.provider.injectFault("answer", { kind: "cut", when: "after" })
      yield* first.offer.accept
      assert.deepInclude(first.call.json(), { state: "talking" })
      const { call, offer, provider } = yield* ringing
      provider.injectFault("answer", { kind: "status", when: "before", status: 400 })
      assert.deepInclude(yield* Effect.flip(offer.accept), { status: "provider_error", reason: "http: status 400" })
      assert.isTrue(call.isOver())
    }).pipe(Effect.provide(events)))

  it.scopedLive("is hung up when nobody waits for it any more", () =>
    Effect.gen(function*() {
      const { call, offer, provider } = yield* ringing
      provider.injectFault("answer", { kind: "late", when: "before", millis: 200 })
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(offer.accept, "20 millis")))
      yield* over(call)
    }).pipe(Effect.provide(events)))

  it.scopedLive("to a number of another connection is rejected and not offered", () =>
    Effect.gen(function*() {
      const { carrier, connection, provider } = yield* carrierTo()
      const call = provider.callIn({ ...person, to: "+911140000009" })
      yield* push(carrier, connection, call.json())
      yield* over(call)
      assert.strictEqual(call.rejection(), "unknown_number")
      assert.deepStrictEqual(yield* offered(carrier), [])
    }).pipe(Effect.provide(events)))

  it.scopedLive("needs its numbers, and only its own events speak of it", () =>
    Effect.gen(function*() {
      const { call, carrier, provider } = yield* ringing
      const refused = yield* Effect.flip(
        Effect.map(
          push(carrier, connectionTo(provider.url), { ...call.json(), from: "anonymous", to: null }),
          () => null
        )
      )
      const issues: EventRefused["issues"] = refused.issues
      assert.deepStrictEqual(issues.map(({ loc }) => loc.slice(2)), [[0, "call", "from"], [0, "call", "to"], []])
      assert.notInclude(JSON.stringify(issues), "anonymous")
      yield* push(carrier, connectionTo(provider.url, {}, "line-2"), call.json())
      assert.strictEqual(only(yield* offered(carrier)).provider_call_id, "line-2:call-1")
    }).pipe(Effect.provide(events)))
})
