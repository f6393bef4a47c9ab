import { assert, layer } from "@effect/vitest"
import { Array, type Duration, Effect, type Layer, TestClock } from "effect"
import { type Slot, SlotStore } from "../limits/SlotStore.js"

const slot = (owner: string, holder: string, name = "laws"): Slot => ({ owner, name, holder })

/** Longer than any law runs, in milliseconds. */
const long = 600_000

/**
 * Laws of `SlotStore`, which must be empty at the start. `passing` lets time pass on the store's clock: by default it adjusts
 * the test clock; a store with its own clock needs an effect that actually waits.
 */
export const slotStoreLaws = <E>(
  name: string,
  live: Layer.Layer<SlotStore, E>,
  passing: (moment: Duration.DurationInput) => Effect.Effect<void> = TestClock.adjust
) =>
  layer(live)(`SlotStore laws: ${name}`, (it) => {
    it.effect("leases slots up to the limit", () =>
      Effect.gen(function*() {
        const store = yield* SlotStore
        const hold = (holder: string) => store.hold(slot("limit", holder), { limit: 2, ttl: long })
        assert.strictEqual(yield* store.countHeld({ owner: "limit", name: "laws" }), 0)
        assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "c"], hold), [true, true, false])
        assert.strictEqual(yield* store.countHeld({ owner: "limit", name: "laws" }), 2)
      }))

    it.effect("respects the limit under concurrency", () =>
      Effect.gen(function*() {
        const store = yield* SlotStore
        const hold = (index: number) => store.hold(slot("at once", `${index}`), { limit: 7, ttl: long })
        const answers = yield* Effect.forEach(Array.range(1, 50), hold, { concurrency: "unbounded" })
        assert.strictEqual(Array.countBy(answers, (isHeld) => isHeld), 7)
        assert.strictEqual(yield* store.countHeld({ owner: "at once", name: "laws" }), 7)
      }))

    it.effect("counts by owner and name with any characters", () =>
      Effect.gen(function*() {
        const store = yield* SlotStore
        const texts = [
          "a",
          "a:b",
          "b:c",
          "c",
          "a b",
          "b|c",
          "a,b",
          "b,c",
          "A",
          "__proto__",
          "é",
          "e\u0301",
          "{a}",
          "*",
          "%3A"
        ]
        const answers = yield* Effect.forEach(
          Array.cartesian(texts, texts),
          ([owner, name]) => store.hold(slot(owner, "a", name), { limit: 1, ttl: long })
        )
        assert.isTrue(answers.every((isHeld) => isHeld))
      }))

    it.effect("extends a renewed lease without taking a second slot", () =>
      Effect.gen(function*() {
        const store = yield* SlotStore
        const hold = (holder: string, ttl: number) => store.hold(slot("renew", holder), { limit: 1, ttl })
        assert.isTrue(yield* hold("a", 30))
        assert.isTrue(yield* hold("a", long))
        assert.strictEqual(yield* store.countHeld({ owner: "renew", name: "laws" }), 1)
        yield* passing(50)
        assert.isFalse(yield* hold("b", long))
        assert.isTrue(yield* hold("a", long))
      }))

    it.effect("expires a lease that is not renewed", () =>
      Effect.gen(function*() {
        const store = yield* SlotStore
        const hold = (holder: string, ttl: number) => store.hold(slot("expiry", holder), { limit: 2, ttl })
        assert.deepStrictEqual(yield* Effect.all([hold("a", 30), hold("b", long)]), [true, true])
        yield* passing(50)
        assert.strictEqual(yield* store.countHeld({ owner: "expiry", name: "laws" }), 1)
        assert.isTrue(yield* hold("c", long))
        assert.isFalse(yield* hold("a", long))
        assert.isTrue(yield* hold("b", long))
      }))

    it.effect("releases the holder's slot only", () =>
      Effect.gen(function*() {
        const store = yield* SlotStore
        const hold = (holder: string) => store.hold(slot("release", holder), { limit: 2, ttl: long })
        yield* Effect.all([hold("a"), hold("b")])
        yield* store.release(slot("release", "c"))
        yield* store.release(slot("release", "a", "other"))
        yield* store.release(slot("other", "a"))
        assert.isFalse(yield* hold("c"))
        yield* store.release(slot("release", "a"))
        yield* store.release(slot("release", "a"))
        assert.strictEqual(yield* store.countHeld({ owner: "release", name: "laws" }), 1)
        assert.deepStrictEqual(yield* Effect.forEach(["c", "a"], hold), [true, false])
      }))

    it.effect("keeps slots when the limit is lowered and applies a higher limit immediately", () =>
      Effect.gen(function*() {
        const store = yield* SlotStore
        const hold = (holder: string, limit: number) => store.hold(slot("changed", holder), { limit, ttl: long })
        yield* Effect.all([hold("a", 3), hold("b", 3)])
        assert.deepStrictEqual(yield* Effect.all([hold("a", 1), hold("b", 1), hold("c", 1)]), [true, true, false])
        assert.isTrue(yield* hold("c", 3))
      }))
  })
