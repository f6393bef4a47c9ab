import { assert, describe, it } from "@effect/vitest"
import { fullNumber, shortNumber } from "@trunkline/charts"
import { FastCheck } from "effect"

describe("numbers", () => {
  it("are grouped as in India", () => {
    const written = [0, 7, 999, 1_000, 12_345, 123_456, 12_345_678, -1_200.25, 0.5, 0.000123456, 1e15, -0.004]
    assert.deepStrictEqual(written.map(fullNumber), [
      "0",
      "7",
      "999",
      "1,000",
      "12,345",
      "1,23,456",
      "1,23,45,678",
      "−1,200.25",
      "0.5",
      "0.000123",
      "1,00,00,00,00,00,00,000",
      "−0.004"
    ])
  })

  it("are short in thousands, lakhs and crores", () => {
    const written = [0, 12.5, 999, 1_000, 50_000, 99_999.9, 100_000, 1_234_567, 12_345_678, -2_500_000, 1e12]
    assert.deepStrictEqual(written.map(shortNumber), [
      "0",
      "12.5",
      "999",
      "1K",
      "50K",
      "1L",
      "1L",
      "12.35L",
      "1.23Cr",
      "−25L",
      "1,00,000Cr"
    ])
  })

  it.prop("read back as what they were", [FastCheck.integer({ min: -1e15, max: 1e15 })], ([number]) => {
    assert.strictEqual(Number(fullNumber(number).replaceAll(",", "").replace("−", "-")), number)
  })
})
