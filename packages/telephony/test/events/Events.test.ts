import { assert, describe } from "@effect/vitest"
import { AttemptId, Bus, BusinessTime, makeMemoryBus, Transactions } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type CallEvent, CallEvents, CallEventStore, type CallNews } from "@trunkline/telephony"
import { Context, Effect, Fiber, Layer, Option } from "effect"

const stores = Layer.merge(CallEventStore.layerMemory, Transactions.layerMemory)
const events = Layer.provideMerge(CallEvents.layer(), stores)

const eventOf = (event_id: string, news: CallNews, attempt_id: string | null = null): CallEvent => ({
  event_id,
  provider_call_id: "call-1",
  attempt_id: attempt_id === null ? null : AttemptId.make(attempt_id),
  news
})

const ringing = eventOf("e1", { _tag: "Ringing" })
const answered = eventOf("e2", { _tag: "Answered" })
const busy = eventOf("e3", { _tag: "Ended", status: "busy", reason: null })

describe("call events", () => {
  virtualTest("are found by later waits and wake earlier ones", () =>
    Effect.gen(function*() {
      const { decided, receive } = yield* CallEvents
      const before = yield* Effect.fork(decided("p", "call-1"))
      const elsewhere = yield* Effect.fork(decided("p", "call-2"))
      yield* receive("p", [ringing])
      yield* BusinessTime.sleep("1 second")
      assert.isTrue(Option.isNone(yield* Fiber.poll(before)))
      yield* receive("p", [answered])
      assert.deepStrictEqual(yield* Fiber.join(before), answered.news)
      assert.deepStrictEqual(yield* decided("p", "call-1"), answered.news)
      assert.isTrue(Option.isNone(yield* Fiber.poll(elsewhere)))
    }).pipe(Effect.provide(events)))

  virtualTest("count once, and an end takes precedence over an answer", () =>
    Effect.gen(function*() {
      const { decided, ended, receive } = yield* CallEvents
      assert.deepStrictEqual(yield* receive("p", [busy, busy]), [busy])
      assert.deepStrictEqual(yield* receive("p", [answered, busy]), [answered])
      assert.deepStrictEqual(yield* decided("p", "call-1"), busy.news)
      assert.deepStrictEqual(yield* ended("p", "call-1"), busy.news)
    }).pipe(Effect.provide(events)))

  virtualTest("do not complete a wait for the end with an answer", () =>
    Effect.gen(function*() {
      const { ended, receive } = yield* CallEvents
      const end = yield* Effect.fork(ended("p", "call-1"))
      yield* receive("p", [ringing, answered])
      yield* BusinessTime.sleep("1 minute")
      assert.isTrue(Option.isNone(yield* Fiber.poll(end)))
      yield* receive("p", [busy])
      assert.deepStrictEqual(yield* Fiber.join(end), busy.news)
    }).pipe(Effect.provide(events)))

  virtualTest("are replaced by polling when none arrive", () =>
    Effect.gen(function*() {
      const { decided } = yield* CallEvents
      let polls = 0
      const ask = Effect.sync(() => ++polls < 3 ? null : busy.news)
      const start = yield* BusinessTime.now
      assert.deepStrictEqual(yield* decided("p", "call-1", { every: "10 seconds", ask }), busy.news)
      assert.strictEqual((yield* BusinessTime.now) - start, 30_000)
    }).pipe(Effect.provide(events)))

  virtualTest("identify the call of an attempt", () =>
    Effect.gen(function*() {
      const { callOf, receive } = yield* CallEvents
      yield* receive("p", [eventOf("e1", { _tag: "Ringing" }, "attempt-1")])
      assert.deepStrictEqual(yield* callOf("p", AttemptId.make("attempt-1")), Option.some("call-1"))
      assert.deepStrictEqual(yield* callOf("p", AttemptId.make("attempt-2")), Option.none())
    }).pipe(Effect.provide(events)))

  virtualTest("are removed after a week, in any number", () =>
    Effect.gen(function*() {
      const store = yield* CallEventStore
      const { receive } = yield* CallEvents
      const many = Array.from({ length: 1_200 }, (_, index) => eventOf(`old-${index}`, { _tag: "Ringing" }))
      yield* receive("p", many)
      yield* BusinessTime.sleep("6 days")
      yield* receive("p", [answered])
      assert.lengthOf(yield* store.ofCall("p", "call-1"), 1_201)
      yield* BusinessTime.sleep("26 hours")
      assert.deepStrictEqual(yield* store.ofCall("p", "call-1"), [answered])
    }).pipe(Effect.provide(events)))
})

describe("call events of two processes with one store", () => {
  /** The call events of two processes that share the store of the test, and a bus. */
  const processes = Effect.gen(function*() {
    const join = yield* makeMemoryBus
    const start = Effect.map(
      Layer.build(Layer.provide(Layer.fresh(CallEvents.layer()), Layer.effect(Bus, join))),
      Context.get(CallEvents)
    )
    return [yield* start, yield* start] as const
  })

  virtualTest("wake the call in the process that waits for it", () =>
    Effect.gen(function*() {
      const [here, there] = yield* processes
      const waiting = yield* Effect.fork(here.decided("p", "call-1"))
      yield* Effect.yieldNow()
      const start = yield* BusinessTime.now
      yield* there.receive("p", [ringing, answered])
      assert.deepStrictEqual(yield* Fiber.join(waiting), answered.news)
      assert.strictEqual(yield* BusinessTime.now, start)
    }).pipe(Effect.provide(stores)))

  virtualTest("are found by looking when the process that stored them could not tell", () =>
    Effect.gen(function*() {
      const store = yield* CallEventStore
      const [here] = yield* processes
      const waiting = yield* Effect.fork(here.ended("p", "call-1"))
      yield* BusinessTime.sleep("1 minute")
      yield* store.insert("p", [busy], yield* BusinessTime.now)
      assert.deepStrictEqual(yield* Fiber.join(waiting), busy.news)
      assert.isAtMost(yield* BusinessTime.now, 76_000)
    }).pipe(Effect.provide(stores)))
})
