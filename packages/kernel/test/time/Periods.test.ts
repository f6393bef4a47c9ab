import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, everyPeriod } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, TestClock } from "effect"

/** Moments of the ticks of 20 ms within a tenth of a second, stopped after some of them, and those afterwards. */
const ticks = (wait: (millis: number) => Effect.Effect<void>, stopAfter = Infinity) =>
  Effect.gen(function*() {
    const moments: Array<number> = []
    const { now } = yield* BusinessTime
    const from = yield* now
    const tick = (): void => {
      moments.push(Effect.runSync(now) - from)
      if (moments.length === stopAfter) stop()
    }
    const stop = yield* everyPeriod(20, tick)
    yield* wait(100)
    return moments
  })

describe("a callback for every period of business time", () => {
  virtualTest("is called at each multiple, until its scope closes", () =>
    Effect.gen(function*() {
      const moments = yield* Effect.scoped(ticks(BusinessTime.sleep))
      assert.deepStrictEqual(moments.slice(0, 4), [20, 40, 60, 80])
      yield* BusinessTime.sleep(1_000)
      assert.isAtMost(moments.length, 5)
    }))

  virtualTest("is stopped from within, or before the first call", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* ticks(BusinessTime.sleep, 2), [20, 40])
      let isCalled = false
      const stop = yield* everyPeriod(20, () => {
        isCalled = true
      })
      stop()
      yield* BusinessTime.sleep(1_000)
      assert.isFalse(isCalled)
    }).pipe(Effect.scoped))

  it.scoped("is called by a fiber where time cannot call back", () =>
    Effect.gen(function*() {
      let count = 0
      const stop = yield* everyPeriod(20, () => count += 1)
      yield* TestClock.adjust(70)
      assert.strictEqual(count, 3)
      stop()
      yield* TestClock.adjust(1_000)
      assert.strictEqual(count, 3)
    }))
})
