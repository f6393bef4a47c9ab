import { assert, describe, it } from "@effect/vitest"
import { propertyCases } from "@trunkline/kernel/testing"
import { Effect } from "effect"
import { naive } from "./Plants.js"
import { checked, complaint, faultPoints } from "./Seeds.js"
import { Dice } from "./world/Dice.js"
import { littleScenario, type PlannedCrash } from "./world/Scenario.js"

const modes = ["key", "lookup", "none"] as const

const seed = 11
const little = (mode: typeof modes[number], crash: PlannedCrash | null) =>
  littleScenario(new Dice(seed, "little"), mode, crash)

/** How many moments the engine passes at which it may die, when it does not. */
const passages = (mode: typeof modes[number]) =>
  Effect.map(checked(seed, little(mode, null)), ({ run }) => run.passages)

describe("a little campaign", () => {
  it.live("passes most of the fault points when nothing happens to it", () =>
    Effect.gen(function*() {
      const { run, violations } = yield* checked(seed, little("key", null))
      assert.isEmpty(violations)
      const unseen = faultPoints.filter((point) => !run.passed.has(point))
      assert.deepStrictEqual(unseen.toSorted(), ["recover.dialled", "recover.looked", "withdraw.kept"])
    }))

  for (const mode of modes) {
    it.live(
      `loses nobody and dials nobody twice, wherever it crashes, with a provider that offers ${mode}`,
      () =>
        Effect.gen(function*() {
          const all = yield* passages(mode)
          assert.isAbove(all, 100)
          for (const total of propertyCases(Array.from({ length: all }, (_, index) => index + 1))) {
            const done = yield* checked(seed, little(mode, { _tag: "Passage", total }))
            assert.isNull(complaint(done), `crashed at passage ${total} of ${all}`)
          }
        })
    )
  }

  it.live(
    "is dialled twice when a restart dials again what was claimed, and the checker says so",
    () =>
      Effect.gen(function*() {
        const all = yield* passages("none")
        let isFound = false
        for (let total = 1; total <= all && !isFound; total++) {
          const { violations } = yield* checked(seed, little("none", { _tag: "Passage", total }), naive)
          isFound = violations.some(({ rule }) => rule === "an attempt is dialled at most once")
        }
        assert.isTrue(isFound)
      })
  )
})
