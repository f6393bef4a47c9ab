import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, CurrentRequestId } from "@trunkline/kernel"
import { Clock, DateTime, Effect, Fiber, FiberRef, TestClock } from "effect"

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

  it.effect("sleeps for months in days, which timers can take", () =>
    Effect.gen(function*() {
      const spans: Array<number> = []
      const clock = yield* Effect.clock
      let now = 0
      const counting: Clock.Clock = {
        ...clock,
        currentTimeMillis: Effect.sync(() => now),
        sleep: (span) =>
          Effect.sync(() => {
            spans.push(Number(span.value._tag === "Millis" ? span.value.millis : Number.NaN))
            now += spans.at(-1) ?? 0
          })
      }
      yield* BusinessTime.sleep("40.5 days").pipe(Effect.withClock(counting))
      assert.strictEqual(spans.length, 41)
      assert.strictEqual(now, 40.5 * 86_400_000)
    }))

  it.effect("may be ahead of the clock", () =>
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
  it.effect("is null outside of a request and reaches the fibers of one", () =>
    Effect.gen(function*() {
      assert.isNull(yield* FiberRef.get(CurrentRequestId))
      const inside = Effect.flatMap(Effect.fork(FiberRef.get(CurrentRequestId)), Fiber.join)
      assert.strictEqual(yield* Effect.locally(inside, CurrentRequestId, "20260601_x"), "20260601_x")
    }))
})
