import { assert, describe, it } from "@effect/vitest"
import { convertMicros, moneyText, priceInMicros, toMicros } from "@trunkline/kernel"

describe("money", () => {
  it("is counted in whole millionths, without the errors of binary fractions", () => {
    assert.strictEqual(toMicros(0.1) + toMicros(0.2), toMicros(0.3))
    assert.strictEqual(toMicros(1e-7), 0)
    assert.strictEqual(toMicros(5e-7), 1)
    assert.strictEqual(priceInMicros(1_000, 0.15, 1_000_000), 150)
    assert.strictEqual(priceInMicros(3, 1.005, 1), 3_015_000)
    assert.strictEqual(priceInMicros(63.2, 0.0043, 60), 4_529)
  })

  it("is rounded half up once, at the end", () => {
    assert.strictEqual(priceInMicros(1, 0.0000025, 1), 3)
    assert.strictEqual(priceInMicros(1, 0.5, 1_000_000), 1)
    assert.strictEqual(priceInMicros(1, 0.49, 1_000_000), 0)
    assert.strictEqual(convertMicros(1_000_000, 0.0117), 11_700)
  })

  it("is written with at least two places", () => {
    assert.strictEqual(moneyText(0), "0.00")
    assert.strictEqual(moneyText(12_500_000), "12.50")
    assert.strictEqual(moneyText(150), "0.00015")
    assert.strictEqual(moneyText(1_000_001), "1.000001")
  })
})
