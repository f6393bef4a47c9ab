import { assert, describe, it } from "@effect/vitest"
import { check, rules } from "./history/Checker.js"
import { dialFaults } from "./history/faults/DialFaults.js"
import { outcomeFaults } from "./history/faults/OutcomeFaults.js"
import { stateFaults } from "./history/faults/StateFaults.js"
import { sampleHistory } from "./history/SampleHistory.js"

const historyFaults = [...dialFaults, ...outcomeFaults, ...stateFaults]

describe("the checker", () => {
  it("accepts a correct history", () => {
    assert.deepStrictEqual(check(sampleHistory()), [])
  })

  for (const { inject, name, rule } of historyFaults) {
    it(`detects that ${name}`, () => {
      assert.include(check(inject(sampleHistory())).map((violation) => violation.rule), rule)
    })
  }

  it("has a fault for each of its rules", () => {
    const broken = new Set(historyFaults.map(({ rule }) => rule))
    assert.deepStrictEqual(rules.map(({ name }) => name).filter((name) => !broken.has(name)), [])
  })
})
