import { assert, describe, it } from "@effect/vitest"
import { formatChange, formatLabelNumber, formatNumber, formatShortNumber } from "@trunkline/charts"
import { FastCheck } from "effect"

describe("numbers", () => {
  it("have Indian digit grouping", () => {
    const written = [0, 7, 999, 1_000, 12_345, 123_456, 12_345_678, -1_200.25, 0.5, 0.000123456, 1e15, -0.004]
    assert.deepStrictEqual(written.map(formatNumber), [
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

  it("are abbreviated in thousands, lakhs and crores", () => {
    const written = [0, 12.5, 999, 1_000, 50_000, 99_999.9, 100_000, 1_234_567, 12_345_678, -2_500_000, 1e12]
    assert.deepStrictEqual(written.map(formatShortNumber), [
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

  it("use an exponent on an axis and crores in full where grouping would be unreadable or inexact", () => {
    const written = [1e15, 1.2e17, -1e18, 1.2345678901234568e17, 999_999_999_999_999]
    assert.deepStrictEqual(written.map(formatShortNumber), ["1e15", "1.2e17", "−1e18", "1.23e17", "1e15"])
    assert.deepStrictEqual(written.map(formatLabelNumber), ["1e15", "1.2e17", "−1e18", "1.235e17", "1e15"])
    assert.deepStrictEqual([9e15, 1.2e17, -1e18, 1.2345678901234568e17].map(formatNumber), [
      "9,00,00,00,00,00,00,000",
      "12,00,00,00,000Cr",
      "−1,00,00,00,00,000Cr",
      "12,34,56,78,901.23Cr"
    ])
  })

  it("have four significant figures on a bar", () => {
    const written = [0, 12.5, 999.5, 1_000, 1_001, -9_999, 1_234.56, 9_999.6, 12_345, 99_999.9, 123_456, 1_234_567]
    assert.deepStrictEqual([...written, 12_345_678, -2_500_000, 1.23456e12].map(formatLabelNumber), [
      "0",
      "12.5",
      "999.5",
      "1,000",
      "1,001",
      "−9,999",
      "1,235",
      "10K",
      "12.35K",
      "1L",
      "1.235L",
      "12.35L",
      "1.235Cr",
      "−25L",
      "1,23,500Cr"
    ])
  })

  it("change by an amount, with a percentage where one makes sense", () => {
    const changes = [[52, 64], [1_200, 1_000], [12.3, 12], [0.1, 0.3], [7, 7], [0, 5], [-4, 4], [1, 100], [200_000, 0]]
    assert.deepStrictEqual(changes.map(([from = 0, to = 0]) => formatChange(from, to)), [
      "+12 (+23 %)",
      "−200 (−17 %)",
      "−0.3 (−2.4 %)",
      "+0.2 (+200 %)",
      "no change",
      "+5",
      "+8",
      "+99",
      "−2,00,000 (−100 %)"
    ])
  })

  it.prop("parse back to the same number", [FastCheck.integer({ min: -1e15, max: 1e15 })], ([number]) => {
    assert.strictEqual(Number(formatNumber(number).replaceAll(",", "").replace("−", "-")), number)
  })
})
