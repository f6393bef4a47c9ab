import { assert, describe, it } from "@effect/vitest"
import { propertyCases } from "@trunkline/kernel/testing"
import { Effect } from "effect"
import { redialling } from "./Replacements.js"
import { describeFailure, faultPoints, runScenario } from "./RunSeed.js"
import { type PlannedCrash, smallScenario } from "./world/Scenario.js"
import { SeededRandom } from "./world/SeededRandom.js"

const modes = ["key", "lookup", "none"] as const

const seed = 11
const small = (mode: typeof modes[number], crash: PlannedCrash | null) =>
  smallScenario(new SeededRandom(seed, "little"), mode, crash)

/** Number of points at which the engine may crash in a run without crashes. */
const countCrashPoints = (mode: typeof modes[number]) =>
  Effect.map(runScenario(seed, small(mode, null)), ({ run }) => run.passages)

describe("a small campaign", () => {
  it.live("passes most fault points without crashes", () =>
    Effect.gen(function*() {
      const { run, violations } = yield* runScenario(seed, small("key", null))
      assert.isEmpty(violations)
      const unseen = faultPoints.filter((point) => !run.passed.has(point))
      assert.deepStrictEqual(unseen.toSorted(), ["recover.dialled", "recover.looked", "withdraw.kept"])
    }))

  for (const mode of modes) {
    it.live(
      `loses no contact and dials none twice, wherever it crashes, with a provider that deduplicates by ${mode}`,
      () =>
        Effect.gen(function*() {
          const all = yield* countCrashPoints(mode)
          assert.isAbove(all, 100)
          for (const total of propertyCases(Array.from({ length: all }, (_, index) => index + 1))) {
            const done = yield* runScenario(seed, small(mode, { _tag: "Passage", total }))
            assert.isNull(describeFailure(done), `crashed at passage ${total} of ${all}`)
          }
        })
    )
  }

  it.live(
    "dials twice when a restart redials claimed attempts, which the checker detects",
    () =>
      Effect.gen(function*() {
        const all = yield* countCrashPoints("none")
        let isFound = false
        for (let total = 1; total <= all && !isFound; total++) {
          const { violations } = yield* runScenario(seed, small("none", { _tag: "Passage", total }), redialling)
          isFound = violations.some(({ rule }) => rule === "an attempt is dialled at most once")
        }
        assert.isTrue(isFound)
      })
  )
})
