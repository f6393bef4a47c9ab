import { assert, describe, it } from "@effect/vitest"
import { propertyCases } from "@trunkline/kernel/testing"
import { Effect } from "effect"
import { type PlantedEngine, plantedEngines } from "./Plants.js"
import { checked, faultPoints } from "./Seeds.js"
import { Dice } from "./world/Dice.js"
import { scenarioOf } from "./world/Scenario.js"

/** How many runs a fault may stay hidden in. */
const PATIENCE = 40

/** A faulty engine may never come to its end. */
const LONGEST = 4 * 3_600_000

/** The first run in which the checker finds the fault by the rule that it breaks. */
const found = ({ planting, rule, when }: PlantedEngine): Effect.Effect<number | null> =>
  Effect.gen(function*() {
    for (let seed = 1; seed <= PATIENCE; seed++) {
      const scenario = scenarioOf(new Dice(seed, "scenario"), faultPoints)
      const special = { ...scenario, longest: LONGEST, ...when?.(scenario) }
      const { violations } = yield* checked(seed, special, planting)
      if (violations.some((violation) => violation.rule === rule)) return seed
    }
    return null
  })

describe("the checker finds", () => {
  for (const planted of propertyCases(plantedEngines)) {
    it.live(`${planted.name}`, () => Effect.map(found(planted), (seed) => assert.isNotNull(seed)))
  }
})
