import { assert, layer } from "@effect/vitest"
import { AttemptId, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { type CallEvent, CallEventStore } from "./CallEventStore.js"

const ringing = (event_id: string, provider_call_id: string, change: Partial<CallEvent> = {}): CallEvent => ({
  event_id,
  provider_call_id,
  attempt_id: null,
  news: { _tag: "Ringing" },
  ...change
})

const over: CallEvent["news"] = { _tag: "Ended", status: "busy", reason: "O'Neil's line: \"busy\" — व्यस्त" }

/** The laws of `CallEventStore`. Every law has providers of its own, so rows may live as long as the layer. */
export const callEventStoreLaws = <E>(name: string, live: Layer.Layer<CallEventStore | Transactions, E>) =>
  layer(live)(`CallEventStore laws: ${name}`, (it) => {
    it.effect("keeps what was told of a call in the order in which it came, and of no other call", () =>
      Effect.gen(function*() {
        const store = yield* CallEventStore
        const told = [
          ringing("e2", "call-1", { news: over, attempt_id: AttemptId.make("order-1") }),
          ringing("e1", "call-1", { news: { _tag: "Answered" } }),
          ringing("e3", "call-1")
        ]
        assert.deepStrictEqual(yield* store.insert("order", told.slice(0, 2), 2_000), told.slice(0, 2))
        yield* store.insert("order", [ringing("e4", "call-2")], 1_500)
        assert.deepStrictEqual(yield* store.insert("order", told.slice(2), 1_000), told.slice(2))
        assert.deepStrictEqual(yield* store.ofCall("order", "call-1"), told)
        assert.deepStrictEqual(yield* store.ofCall("order", "call-3"), [])
        assert.deepStrictEqual(yield* store.ofCall("another", "call-1"), [])
      }))

    it.effect("takes an event once, however often it comes; another provider may use the same ids", () =>
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

    it.effect("tells the call of an attempt by the first event that names both", () =>
      Effect.gen(function*() {
        const store = yield* CallEventStore
        const attempt_id = AttemptId.make("named")
        assert.deepStrictEqual(yield* store.callOf("named", attempt_id), Option.none())
        yield* store.insert("named", [ringing("e1", "call-1"), ringing("e2", "call-2", { attempt_id })], 1_000)
        yield* store.insert("named", [ringing("e3", "call-3", { attempt_id })], 1_000)
        assert.deepStrictEqual(yield* store.callOf("named", attempt_id), Option.some("call-2"))
        assert.deepStrictEqual(yield* store.callOf("another", attempt_id), Option.none())
      }))

    it.effect("removes what is too old, the oldest first, so many at a time; it may then come anew", () =>
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

    it.effect("a transaction that fails leaves no event behind, and does not keep it from coming again", () =>
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
