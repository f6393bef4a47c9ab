import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { FastCheck } from "effect"
import { type ArmCounts, type CanaryFigures, isWorse, logEvidence, shareInterval } from "../../src/canary/Evidence.js"
import { firstStop, seededShares } from "../../src/testing/CanaryTrials.js"

const arm = (successes: number, conversations: number): ArmCounts => ({ successes, conversations })

const rule = { alpha: 0.01, smallest_difference: 0.02, min_conversations: 30 }

const counts = FastCheck.tuple(FastCheck.nat(5_000), FastCheck.nat(5_000)).map(([successes, failures]) =>
  arm(successes, successes + failures)
)

/** The average over all outcomes of so many calls, in which the arms take turns, of the evidence that follows them. */
const meanEvidence = (calls: number, share: number): number => {
  const from = (figures: CanaryFigures, call: number): number => {
    if (call === calls) return Math.exp(logEvidence(figures))
    const side = call % 3 === 0 ? "canary" : "control"
    const after = (success: number) => {
      const { conversations, successes } = figures[side]
      return from({ ...figures, [side]: arm(successes + success, conversations + 1) }, call + 1)
    }
    return share * after(1) + (1 - share) * after(0)
  }
  return from({ canary: arm(0, 0), control: arm(0, 0) }, 0)
}

describe("the evidence against a canary", () => {
  it("is at most one on average while both arms are alike, whatever their share", () => {
    for (const share of [0.02, 0.3, 0.5, 0.8, 0.97]) {
      for (const calls of [1, 4, 12]) assert.isAtMost(meanEvidence(calls, share), 1 + 1e-9, `${share} ${calls}`)
    }
  })

  it("grows with each failure of a canary that is behind, and shrinks with each success", () => {
    const of = (canary: ArmCounts) => logEvidence({ canary, control: arm(60, 100) })
    assert.isAbove(of(arm(10, 31)), of(arm(10, 30)))
    assert.isBelow(of(arm(11, 31)), of(arm(10, 30)))
    assert.isBelow(of(arm(30, 30)), 0)
  })

  it("agrees with the direct computation", () => {
    // 1 of 4 and 3 of 4: (1! 3! / 5!)², over the likelihood at one half.
    const exact = Math.log((6 / 120) ** 2 / 0.5 ** 8)
    assert.approximately(logEvidence({ canary: arm(1, 4), control: arm(3, 4) }), exact, 1e-12)
  })

  it("stops none that is level or ahead, or has too few conversations", () => {
    FastCheck.assert(
      FastCheck.property(counts, counts, (canary, control) => {
        const isAhead = canary.successes * control.conversations >= control.successes * canary.conversations
        if (isAhead) assert.isFalse(isWorse({ canary, control }, { ...rule, smallest_difference: 0 }))
        if (canary.conversations < 30) assert.isFalse(isWorse({ canary, control }, rule))
      }),
      { numRuns: propertyRuns(200) }
    )
    assert.isTrue(isWorse({ canary: arm(5, 50), control: arm(300, 450) }, rule))
    assert.isFalse(isWorse({ canary: arm(5, 50), control: arm(300, 450) }, { ...rule, smallest_difference: 0.6 }))
  })

  it("stops at most a hundredth of canaries that are as good, when it is looked at after every call", () => {
    for (const share of [0.1, 0.5, 0.9]) {
      const stops = seededShares(1, 60).filter((random) =>
        firstStop({ calls: 2_000, percent: 20, control: share, canary: share, random, rule }) !== null
      )
      assert.isAtMost(stops.length, 2, `${share}`)
    }
  })

  it("finds faults, great ones with few calls", () => {
    const median = (canary: number, calls: number) => {
      const stops = seededShares(7, 25).map((random) =>
        firstStop({ calls, percent: 20, control: 0.7, canary, random, rule }) ?? Infinity
      )
      return stops.sort((a, b) => a - b)[12] ?? Infinity
    }
    assert.isBelow(median(0.2, 1_000), 250)
    assert.isBelow(median(0.5, 3_000), 1_000)
  })
})

describe("the interval of a share", () => {
  it("contains the observed share, and narrows with more conversations", () => {
    FastCheck.assert(
      FastCheck.property(counts, (one) => {
        const { high, low } = shareInterval(one, 0.05)
        assert.isTrue(low >= 0 && high <= 1 && low <= high)
        if (one.conversations === 0) return assert.deepStrictEqual([low, high], [0, 1])
        const share = one.successes / one.conversations
        assert.isTrue(low <= share && share <= high)
        const more = shareInterval(arm(one.successes * 4, one.conversations * 4), 0.05)
        assert.isAtMost(more.high - more.low, high - low + 1e-9)
      }),
      { numRuns: propertyRuns(200) }
    )
  })

  it("misses the true share at any look with at most its probability", () => {
    const missed = seededShares(3, 60).filter((random) => {
      let seen = arm(0, 0)
      for (let call = 0; call < 500; call++) {
        seen = arm(seen.successes + (random() < 0.3 ? 1 : 0), seen.conversations + 1)
        if (call % 5 !== 0) continue
        const { high, low } = shareInterval(seen, 0.05)
        if (low > 0.3 || high < 0.3) return true
      }
      return false
    })
    assert.isAtMost(missed.length, 6)
  })
})
