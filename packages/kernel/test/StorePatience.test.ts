import { assert, describe, it } from "@effect/vitest"
import { StorePatience } from "@trunkline/kernel"

describe("the patience of a request with stores", () => {
  it("is 5 seconds for all its calls together", () => {
    const patience = new StorePatience()
    assert.strictEqual(patience.deadline(1_000), 6_000)
    patience.spend(6_000, 4_000)
    assert.strictEqual(patience.deadline(4_000), 6_000)
    patience.spend(6_000, 6_000)
    assert.strictEqual(patience.deadline(6_000), 6_000)
  })

  it("comes back while it does not wait, as fast as time passes and never to more", () => {
    const patience = new StorePatience()
    patience.spend(5_000, 5_000)
    assert.strictEqual(patience.deadline(7_000), 9_000)
    assert.strictEqual(patience.deadline(10_000), 15_000)
    assert.strictEqual(patience.deadline(60_000), 65_000)
  })

  it("is spent once by calls that wait at the same time", () => {
    const patience = new StorePatience()
    const [first, second] = [patience.deadline(0), patience.deadline(1_000)]
    patience.spend(first, 3_000)
    patience.spend(second, 3_000)
    assert.strictEqual(patience.deadline(3_000), 5_000)
  })
})
