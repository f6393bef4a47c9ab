import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { FastCheck } from "effect"
import { afterDial, dialsAllowed, initialPace, nextDialAt, paceAt } from "../../src/dispatch/Pace.js"
import type { Pace } from "../../src/index.js"

const rates = FastCheck.constantFrom(0.1, 0.3, 0.5, 1, 2, 2.5, 7, 20, 21, 33.3, 50, 150, 500)

/** Lateness of timers and commit time of claims, in milliseconds, for each dial. */
const jitter = FastCheck.array(
  FastCheck.tuple(
    FastCheck.oneof(FastCheck.integer({ min: 0, max: 30 }), FastCheck.constantFrom(0, 0, 400, 5_000)),
    FastCheck.oneof(FastCheck.integer({ min: 0, max: 5 }), FastCheck.constantFrom(0, 0, 60)),
    FastCheck.constantFrom(1, 1, 2, 20, 300, 600)
  ),
  { minLength: 2, maxLength: 8, size: "max" }
).map((spans) => spans.flatMap(([late, commit, dials]) => Array.from({ length: dials }, () => [late, commit] as const)))

/** The moments of the dials of a campaign that always has a due contact, on timers that fire late. */
const dialled = (rate: number, late: ReadonlyArray<readonly [number, number]>, start = initialPace(null)) => {
  const dialCounts: Array<number> = []
  let pace: Pace = start
  let now = 1_000_000
  for (const [lateness, commit] of late) {
    now = Math.max(now, Math.ceil(nextDialAt(pace, rate)) + lateness)
    const many = dialsAllowed(pace, rate, now, 64)
    assert.isAtLeast(many, 1, "the rate allows a dial at the named moment")
    for (let index = 0; index < many; index++) {
      pace = afterDial(pace, rate, { claimedAt: now, dialledAt: now + commit })
      dialCounts.push(now + commit)
    }
    now += commit
  }
  return { made: dialCounts, pace, now }
}

/** The largest number of moments in any half-open second. */
const mostInSecond = (moments: ReadonlyArray<number>) => {
  let [most, first] = [0, 0]
  for (const [last, moment] of moments.entries()) {
    while ((moments[first] ?? 0) <= moment - 1000) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

describe("Pace", () => {
  it.prop(
    "dials one interval after the clock was set back, without waiting for it to catch up",
    [rates, jitter, FastCheck.integer({ min: 1, max: 7_200_000 })],
    ([rate, late, back]) => {
      const { now, pace } = dialled(rate, late)
      const earlier = now - back
      const next = nextDialAt(paceAt(pace, earlier), rate)
      assert.isAtMost(next - earlier, Math.max(1000 / rate, 1000) + 1e-6)
    },
    { fastCheck: { numRuns: propertyRuns(100) } }
  )

  it.prop(
    "allows as many dials at once as it would one by one",
    [rates, jitter, FastCheck.integer({ min: 0, max: 1_500 })],
    ([rate, late, wait]) => {
      const { now, pace } = dialled(rate, late)
      const later = now + wait
      let [count, ahead] = [0, pace]
      while (count < 64 && nextDialAt(ahead, rate) <= later) {
        ahead = afterDial(ahead, rate, { claimedAt: later, dialledAt: later })
        count += 1
      }
      assert.strictEqual(dialsAllowed(pace, rate, later, 64), count)
    },
    { fastCheck: { numRuns: propertyRuns(100) } }
  )

  it.prop("never dials more often in a second than the rate plus one", [rates, jitter], ([rate, late]) => {
    assert.isAtMost(mostInSecond(dialled(rate, late).made), Math.floor(rate) + 1)
  }, { fastCheck: { numRuns: propertyRuns(100) } })

  it.prop(
    "keeps the dials of a slow campaign at least one interval apart, however late timers fire",
    [rates, jitter],
    ([rate, late]) => {
      if (rate > 20) return
      const { made } = dialled(rate, late.map(([lateness]) => [lateness, 0]))
      for (const [index, moment] of made.slice(1).entries()) {
        assert.isAtLeast(moment - (made[index] ?? 0), 1000 / rate - 1e-6)
      }
    },
    { fastCheck: { numRuns: propertyRuns(100) } }
  )

  it.prop("keeps its rate on timers that are slightly late", [
    FastCheck.constantFrom(21, 50, 150, 500),
    FastCheck.array(FastCheck.integer({ min: 0, max: 15 }), { minLength: 300, maxLength: 300, size: "max" })
  ], ([rate, late]) => {
    const { made } = dialled(rate, late.map((lateness) => [lateness, 0]))
    const [first = 0, last = 0] = [made[0], made.at(-1)]
    const owed = Math.floor((last - first) * rate / 1000)
    assert.isAtLeast(made.length, owed * 0.97 - 20 * rate / 1000)
    assert.isAtMost(made.length, owed + 2)
  }, { fastCheck: { numRuns: propertyRuns(100) } })

  it.prop("does not accumulate unused dials during a long wait", [rates], ([rate]) => {
    const { now, pace } = dialled(rate, Array.from({ length: 40 }, () => [0, 0]))
    const later = now + 60_000
    assert.strictEqual(dialsAllowed(pace, rate, later, 64), 1)
    const after = afterDial(pace, rate, { claimedAt: later, dialledAt: later })
    assert.closeTo(nextDialAt(after, rate), later + 1000 / rate, 1e-6)
  })

  it.prop(
    "allows as many dials at once as could be made one after the other",
    [rates, jitter, FastCheck.integer({ min: 0, max: 3_000 }), FastCheck.constantFrom(1, 5, 64)],
    ([rate, late, pause, limit]) => {
      const { now, pace } = dialled(rate, late)
      const later = now + pause
      let [made, after] = [0, pace]
      while (made < limit && nextDialAt(after, rate) <= later) {
        after = afterDial(after, rate, { claimedAt: later, dialledAt: later })
        made += 1
      }
      assert.strictEqual(dialsAllowed(pace, rate, later, limit), made)
    },
    { fastCheck: { numRuns: propertyRuns(300) } }
  )

  it("applies a new rate from the next dial on", () => {
    const { now, pace } = dialled(0.1, [[0, 0]])
    assert.strictEqual(nextDialAt(pace, 0.1), now + 10_000)
    assert.strictEqual(nextDialAt(pace, 10), now + 100)
  })

  it("waits a second after a restart", () => {
    const restarted = initialPace(1_000)
    assert.strictEqual(nextDialAt(restarted, 500), 2_000)
    assert.strictEqual(nextDialAt(restarted, 0.1), 11_000)
    assert.strictEqual(dialsAllowed(initialPace(null), 500, 0, 64), 1)
  })
})
