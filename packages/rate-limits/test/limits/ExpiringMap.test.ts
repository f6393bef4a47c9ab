import { assert, describe, it } from "@effect/vitest"
import { ExpiringMap } from "../../src/limits/ExpiringMap.js"

/** A map of expiry times. */
const open = () => new ExpiringMap({ create: () => ({ until: 0 }), isExpired: ({ until }, now) => until <= now })

describe("ExpiringMap", () => {
  it("removes expired values while others are inserted", () => {
    const holdings = open()
    const lasting = holdings.getOrCreate({ name: "a", owner: "lasting" })
    lasting.until = Infinity
    for (let now = 0; now < 5_000; now++) {
      holdings.getOrCreate({ name: `${now % 3}`, owner: `${now}` }).until = now + 50
      holdings.sweep(now)
      assert.isAtMost(holdings.size, 500)
    }
    assert.strictEqual(holdings.get({ name: "a", owner: "lasting" }), lasting)
    assert.deepStrictEqual(holdings.get({ name: `${4_999 % 3}`, owner: "4999" }), { until: 5_049 })
  })

  it("shrinks after many owners have expired", () => {
    const holdings = open()
    for (let owner = 0; owner < 1_000; owner++) {
      holdings.getOrCreate({ name: "a", owner: `${owner}` }).until = 10
      holdings.sweep(0)
    }
    assert.strictEqual(holdings.size, 1_000)
    for (let call = 0; call < 100_000; call++) {
      holdings.getOrCreate({ name: "a", owner: "0" }).until = Infinity
      holdings.sweep(11)
    }
    assert.strictEqual(holdings.size, 1)
  })

  it("returns the same value until it expires", () => {
    const holdings = open()
    const place = { name: "a", owner: "a" }
    assert.strictEqual(holdings.getOrCreate(place), holdings.getOrCreate(place))
    assert.notStrictEqual(holdings.getOrCreate(place), holdings.getOrCreate({ name: "a", owner: "b" }))
    assert.isUndefined(holdings.get({ name: "b", owner: "a" }))
    assert.strictEqual(holdings.size, 2)
  })
})
