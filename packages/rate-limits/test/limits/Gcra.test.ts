import { assert, describe, it } from "@effect/vitest"
import { intervalOf, takeFrom, takeFromAll } from "@trunkline/rate-limits"
import { ExactBucket } from "@trunkline/rate-limits/testing"
import { FastCheck } from "effect"

const start = 1_800_000_000_000_000

const burst = FastCheck.integer({ min: 1, max: 20 })

/** Requests with their delay after the previous one in microseconds, often 0. */
const requests = FastCheck.array(
  FastCheck.record({
    pause: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: 0, max: 100_000 })),
    cost: FastCheck.integer({ min: 1, max: 8 })
  }),
  { maxLength: 60 }
)

/** Requests with their times. */
const timed = (arrivals: ReadonlyArray<{ readonly pause: number; readonly cost: number }>) => {
  let at = start
  return arrivals.map(({ cost, pause }) => ({ cost, at: at += pause }))
}

describe("GCRA", () => {
  it.prop(
    "equals a token bucket to the microsecond",
    [burst, FastCheck.integer({ min: 1, max: 50_000 }), requests],
    ([burst, interval, arrivals]) => {
      const level = { interval, burst, full: 0 }
      const exact = new ExactBucket({ units: 1n, micros: BigInt(interval) }, burst)
      for (const { at, cost } of timed(arrivals)) {
        const { isAdmitted, remaining } = takeFrom(level, { at, cost })
        assert.strictEqual(isAdmitted, exact.holds(cost, at))
        if (isAdmitted) exact.take(cost, at)
        assert.strictEqual(remaining, exact.wholeUnits(at))
      }
    }
  )

  it.prop(
    "never exceeds a rate per minute and rejects at most one unit that it would admit",
    [burst, FastCheck.integer({ min: 1, max: 100_000 }), requests],
    ([burst, perMinute, arrivals]) => {
      const level = { interval: intervalOf(perMinute), burst, full: 0 }
      const exact = new ExactBucket({ units: BigInt(perMinute), micros: 60_000_000n }, burst)
      for (const { at, cost } of timed(arrivals)) {
        const { isAdmitted } = takeFrom(level, { at, cost })
        if (isAdmitted) {
          assert.isTrue(exact.holds(cost, at))
          exact.take(cost, at)
        } else {
          assert.isBelow(exact.wholeUnits(at), cost + 1)
        }
      }
    }
  )

  it("is exact for rates that divide a minute", () => {
    assert.deepStrictEqual([1, 40, 60, 4_000, 7].map(intervalOf), [60_000_000, 1_500_000, 1_000_000, 15_000, 8_571_429])
  })

  it("reports the retry and reset times", () => {
    const level = { interval: 10, burst: 4, full: 0 }
    assert.deepStrictEqual(takeFrom(level, { at: start, cost: 3 }), {
      isAdmitted: true,
      remaining: 1,
      retryAfter: 0,
      resetAfter: 30,
      at: start
    })
    assert.deepStrictEqual(takeFrom(level, { at: start + 5, cost: 4 }), {
      isAdmitted: false,
      remaining: 1,
      retryAfter: 25,
      resetAfter: 25,
      at: start + 5
    })
    assert.isFalse(takeFrom(level, { at: start + 29, cost: 4 }).isAdmitted)
    assert.isTrue(takeFrom(level, { at: start + 30, cost: 4 }).isAdmitted)
  })

  it("takes from all buckets or none", () => {
    const [wide, narrow] = [{ interval: 10, burst: 9, full: 0 }, { interval: 50, burst: 2, full: 0 }]
    const ask = () => takeFromAll([wide, narrow], { at: start, cost: 2 })
    assert.deepStrictEqual(ask(), { isAdmitted: true, remaining: 0, retryAfter: 0, resetAfter: 100, at: start })
    assert.deepStrictEqual(ask(), { isAdmitted: false, remaining: 0, retryAfter: 100, resetAfter: 100, at: start })
    assert.deepStrictEqual([wide.full, narrow.full], [start + 20, start + 100])
  })
})
