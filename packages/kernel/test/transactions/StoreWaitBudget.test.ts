import { assert, describe, it } from "@effect/vitest"
import { StoreWaitBudget } from "@trunkline/kernel"

describe("StoreWaitBudget", () => {
  it("is 5 seconds over all calls", () => {
    const budget = new StoreWaitBudget()
    assert.strictEqual(budget.deadline(1_000), 6_000)
    budget.spend(6_000, 4_000)
    assert.strictEqual(budget.deadline(4_000), 6_000)
    budget.spend(6_000, 6_000)
    assert.strictEqual(budget.deadline(6_000), 6_000)
  })

  it("is restored while the work does not wait, at the pace of time and never beyond its full size", () => {
    const budget = new StoreWaitBudget()
    budget.spend(5_000, 5_000)
    assert.strictEqual(budget.deadline(7_000), 9_000)
    assert.strictEqual(budget.deadline(10_000), 15_000)
    assert.strictEqual(budget.deadline(60_000), 65_000)
  })

  it("is spent once by concurrent waits", () => {
    const budget = new StoreWaitBudget()
    const [first, second] = [budget.deadline(0), budget.deadline(1_000)]
    budget.spend(first, 3_000)
    budget.spend(second, 3_000)
    assert.strictEqual(budget.deadline(3_000), 5_000)
  })
})
