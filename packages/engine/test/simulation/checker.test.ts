import { assert, describe, it } from "@effect/vitest"
import { check, rules } from "./history/Checker.js"
import { plantedFaults } from "./history/Faults.js"
import { story } from "./history/Story.js"

describe("the checker", () => {
  it("finds nothing wrong with a good history", () => {
    assert.deepStrictEqual(check(story()), [])
  })

  for (const { name, plant, rule } of plantedFaults) {
    it(`finds that ${name}`, () => {
      assert.include(check(plant(story())).map((violation) => violation.rule), rule)
    })
  }

  it("has a fault planted for each of its rules", () => {
    const broken = new Set(plantedFaults.map(({ rule }) => rule))
    assert.deepStrictEqual(rules.map(({ name }) => name).filter((name) => !broken.has(name)), [])
  })
})
