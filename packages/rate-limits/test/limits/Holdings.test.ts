import { assert, describe, it } from "@effect/vitest"
import { Holdings } from "../../src/limits/Holdings.js"

/** Holds moments until which something counts. */
const open = () => new Holdings({ fresh: () => ({ until: 0 }), isSpent: ({ until }, now) => until <= now })

describe("Holdings", () => {
  it("keeps what is not spent, and forgets what is, while others come", () => {
    const holdings = open()
    const lasting = holdings.obtain({ name: "a", owner: "lasting" })
    lasting.until = Infinity
    for (let now = 0; now < 5_000; now++) {
      holdings.obtain({ name: `${now % 3}`, owner: `${now}` }).until = now + 50
      holdings.tend(now)
      assert.isAtMost(holdings.size, 500)
    }
    assert.strictEqual(holdings.find({ name: "a", owner: "lasting" }), lasting)
    assert.deepStrictEqual(holdings.find({ name: `${4_999 % 3}`, owner: "4999" }), { until: 5_049 })
  })

  it("forgets a crowd that left, while one owner stays", () => {
    const holdings = open()
    for (let owner = 0; owner < 1_000; owner++) {
      holdings.obtain({ name: "a", owner: `${owner}` }).until = 10
      holdings.tend(0)
    }
    assert.strictEqual(holdings.size, 1_000)
    for (let call = 0; call < 100_000; call++) {
      holdings.obtain({ name: "a", owner: "0" }).until = Infinity
      holdings.tend(11)
    }
    assert.strictEqual(holdings.size, 1)
  })

  it("gives the same value until it is spent, and fresh ones to others", () => {
    const holdings = open()
    const place = { name: "a", owner: "a" }
    assert.strictEqual(holdings.obtain(place), holdings.obtain(place))
    assert.notStrictEqual(holdings.obtain(place), holdings.obtain({ name: "a", owner: "b" }))
    assert.isUndefined(holdings.find({ name: "b", owner: "a" }))
    assert.strictEqual(holdings.size, 2)
  })
})
