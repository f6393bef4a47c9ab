import { assert, layer } from "@effect/vitest"
import { AttemptId, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { type CallEvent, CallEventStore } from "../events/CallEventStore.js"

const ringing = (event_id: string, provider_call_id: string, change: Partial<CallEvent> = {}): CallEvent => ({
  event_id,
  provider_call_id,
  attempt_id: null,
  news: { _tag: "Ringing" },
  ...change
})

const over: CallEvent["news"] = { _tag: "Ended", status: "busy", reason: "O'Neil's line: \"busy\" — व्यस्त" }

/** Laws of `CallEventStore`. Each law uses its own providers, so one layer can serve all laws. */
export const callEventStoreLaws = <E>(name: string, live: Layer.Layer<CallEventStore | Transactions, E>) =>
  layer(live)(`CallEventStore laws: ${name}`, (it) => {
    it.effect("returns the events of a call in order of arrival", () =>
      Effect.gen(function*() {
        const store = yield* CallEventStore
        const events = [
          ringing("e2", "call-1", { news: over, attempt_id: AttemptId.make("order-1") }),
          ringing("e1", "call-1", { news: { _tag: "Answered" } }),
          ringing("e3", "call-1")
        ]
        assert.deepStrictEqual(yield* store.insert("order", events.slice(0, 2), 2_000), events.slice(0, 2))
        yield* store.insert("order", [ringing("e4", "call-2")], 1_500)
        assert.deepStrictEqual(yield* store.insert("order", events.slice(2), 1_000), events.slice(2))
        assert.deepStrictEqual(yield* store.ofCall("order", "call-1"), events)
        assert.deepStrictEqual(yield* store.ofCall("order", "call-3"), [])
        assert.deepStrictEqual(yield* store.ofCall("another", "call-1"), [])
      }))

    it.effect("stores an event once per provider and event id", () =>
      Effect.gen(function*() {
        const store = yield* CallEventStore
        const first = ringing("e1", "call-1")
        assert.deepStrictEqual(yield* store.insert("once", [first, first], 1_000), [first])
        const again = ringing("e1", "call-1", { news: over })
        const fresh = ringing("e2", "call-1")
        assert.deepStrictEqual(yield* store.insert("once", [again, fresh], 2_000), [fresh])
        assert.deepStrictEqual(yield* store.ofCall("once", "call-1"), [first, fresh])
        assert.deepStrictEqual(yield* store.insert("once-too", [again], 2_000), [again])
        assert.deepStrictEqual(yield* store.insert("once", [], 2_000), [])
      }))

    it.effect("finds the call of an attempt by the first event that names both", () =>
      Effect.gen(function*() {
        const store = yield* CallEventStore
        const attempt_id = AttemptId.make("named")
        assert.deepStrictEqual(yield* store.callOf("named", attempt_id), Option.none())
        yield* store.insert("named", [ringing("e1", "call-1"), ringing("e2", "call-2", { attempt_id })], 1_000)
        yield* store.insert("named", [ringing("e3", "call-3", { attempt_id })], 1_000)
        assert.deepStrictEqual(yield* store.callOf("named", attempt_id), Option.some("call-2"))
        assert.deepStrictEqual(yield* store.callOf("another", attempt_id), Option.none())
      }))

    it.effect("removes old events in batches, oldest first, and accepts them again afterwards", () =>
      Effect.gen(function*() {
        const store = yield* CallEventStore
        while ((yield* store.removeBefore(10_000, 100)) > 0);
        for (const at of [3_000, 1_000, 2_000, 5_000]) yield* store.insert("old", [ringing(`e${at}`, "call-1")], at)
        assert.strictEqual(yield* store.removeBefore(5_000, 2), 2)
        const left = yield* store.ofCall("old", "call-1")
        assert.deepStrictEqual(left.map(({ event_id }) => event_id), ["e3000", "e5000"])
        assert.strictEqual(yield* store.removeBefore(5_000, 2), 1)
        assert.strictEqual(yield* store.removeBefore(5_000, 2), 0)
        assert.lengthOf(yield* store.insert("old", [ringing("e1000", "call-1")], 6_000), 1)
      }))

    it.effect("rolls events back when the transaction fails and accepts them again", () =>
      Effect.gen(function*() {
        const store = yield* CallEventStore
        const { run } = yield* Transactions
        const event = ringing("e1", "call-1", { attempt_id: AttemptId.make("undone") })
        yield* Effect.flip(run(Effect.zipRight(store.insert("undone", [event], 1_000), Effect.fail("undone"))))
        assert.deepStrictEqual(yield* store.ofCall("undone", "call-1"), [])
        assert.deepStrictEqual(yield* store.callOf("undone", AttemptId.make("undone")), Option.none())
        assert.deepStrictEqual(yield* store.insert("undone", [event], 1_000), [event])
        assert.deepStrictEqual(yield* store.ofCall("undone", "call-1"), [event])
      }))
  })
