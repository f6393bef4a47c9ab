import { assert, describe, it } from "@effect/vitest"
import { propertyCases } from "@trunkline/kernel/testing"
import { Effect } from "effect"
import { type EngineFault, engineFaults } from "./EngineFaults.js"
import { faultPoints, runScenario } from "./RunSeed.js"
import { scenarioOf } from "./world/Scenario.js"
import { SeededRandom } from "./world/SeededRandom.js"

/** Seeds within which a fault must be detected. */
const maxSeeds = 40

/** Limit of a run, because a faulty engine may never finish. */
const maxRunMillis = 4 * 3_600_000

/** Finds the first seed for which the checker detects the fault by its rule. */
const findSeed = ({ injection, rule, when }: EngineFault): Effect.Effect<number | null> =>
  Effect.gen(function*() {
    for (let seed = 1; seed <= maxSeeds; seed++) {
      const scenario = scenarioOf(new SeededRandom(seed, "scenario"), faultPoints)
      const faulty = { ...scenario, longest: maxRunMillis, ...when?.(scenario) }
      const { violations } = yield* runScenario(seed, faulty, injection)
      if (violations.some((violation) => violation.rule === rule)) return seed
    }
    return null
  })

describe("the checker detects", () => {
  for (const fault of propertyCases(engineFaults)) {
    it.live(`${fault.name}`, () => Effect.map(findSeed(fault), (seed) => assert.isNotNull(seed)))
  }
})
