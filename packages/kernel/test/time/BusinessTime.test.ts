import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, CurrentRequestId } from "@trunkline/kernel"
import { Clock, DateTime, Duration, Effect, Fiber, FiberRef, TestClock } from "effect"

describe("BusinessTime", () => {
  it.effect("is Effect's clock by default", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_000)
      assert.strictEqual(yield* BusinessTime.now, 1_000)
      assert.strictEqual(DateTime.formatIso(yield* BusinessTime.date), "1970-01-01T00:00:01.000Z")
      yield* BusinessTime.sleepUntil(999)
      const fiber = yield* Effect.fork(Effect.zipRight(BusinessTime.sleep("1 second"), Clock.currentTimeMillis))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(fiber), 2_000)
    }))

  /** Lengths of the single sleeps on a clock that is set from outside. */
  const spansOf = (sleep: Effect.Effect<void>, set: (now: number) => number) =>
    Effect.gen(function*() {
      const spans: Array<number> = []
      let now = 0
      const clock: Clock.Clock = {
        ...yield* Effect.clock,
        currentTimeMillis: Effect.sync(() => now),
        sleep: (span) =>
          Effect.sync(() => {
            spans.push(Duration.toMillis(span))
            now = set(now + Duration.toMillis(span))
          })
      }
      yield* Effect.withClock(sleep, clock)
      return spans
    })

  const minute = 60_000

  it.effect("sleeps at most a minute at a time, which timers can take", () =>
    Effect.gen(function*() {
      const spans = yield* spansOf(BusinessTime.sleep("2.5 minutes"), (now) => now)
      assert.deepStrictEqual(spans, [minute, minute, minute / 2])
    }))

  it.effect("notices a clock that was set forward", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* spansOf(BusinessTime.sleep("1 hour"), (now) => now + 60 * minute), [minute])
    }))

  it.effect("ends the wait when the clock is set back instead of waiting for the same hour again", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* spansOf(BusinessTime.sleep("1 hour"), (now) => now - 60 * minute), [minute])
    }))

  it.effect("can be ahead of the clock", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_000)
      const ahead = Effect.provideService(BusinessTime, BusinessTime.fromClock(500))
      assert.strictEqual(yield* ahead(BusinessTime.now), 1_500)
      const fiber = yield* Effect.fork(ahead(Effect.zipRight(BusinessTime.sleepUntil(1_600), Clock.currentTimeMillis)))
      yield* TestClock.adjust(100)
      assert.strictEqual(yield* Fiber.join(fiber), 1_100)
    }))
})

describe("CurrentRequestId", () => {
  it.effect("is null outside of a request and is inherited by the fibers of one", () =>
    Effect.gen(function*() {
      assert.isNull(yield* FiberRef.get(CurrentRequestId))
      const inside = Effect.flatMap(Effect.fork(FiberRef.get(CurrentRequestId)), Fiber.join)
      assert.strictEqual(yield* Effect.locally(inside, CurrentRequestId, "20260601_x"), "20260601_x")
    }))
})
