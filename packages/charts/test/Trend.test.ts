import { assert, describe, it } from "@effect/vitest"
import { chartOf, describeTrend, maxTrend, type NumberChart, type Value } from "@trunkline/charts"
import { Either } from "effect"

const numberOf = (x_axis: string | undefined, ...rows: ReadonlyArray<ReadonlyArray<Value>>): NumberChart => {
  const chart = Either.getOrThrow(chartOf({
    title: "Calls",
    viz_type: "number",
    viz_config: { value_column: "calls", ...(x_axis !== undefined && { x_axis }) },
    table: { columns: [{ name: "day" }, { name: "calls" }], rows }
  }))
  return chart.kind === "number" ? chart : assert.fail("expected a number")
}

const days = [["2026-01-31", 64], ["2026-01-30", 52], ["2026-01-29", null], ["2026-01-28", 40]] as const

describe("a number over periods", () => {
  it("has the value of the newest period, the one before, and all of them from the oldest on", () => {
    const chart = numberOf("day", ...days)
    assert.strictEqual(chart.value, 64)
    assert.deepStrictEqual(chart.trend, { period: "30 Jan", previous: 52, values: [40, null, 52, 64] })
    assert.strictEqual(describeTrend(chart), "+12 (+23 %) against 30 Jan")
  })

  it("has no change when the period before has no value", () => {
    const chart = numberOf("day", ["2026-02", 5], ["2026-01", null])
    assert.deepInclude(chart.trend, { period: "Jan 2026", previous: null })
    assert.isNull(describeTrend(chart))
  })

  it("has no trend without periods: one row, no such column, no times, or not the newest first", () => {
    for (
      const chart of [
        numberOf("day", ...days.slice(0, 1)),
        numberOf(undefined, ...days),
        numberOf("week", ...days),
        numberOf("calls", ...days),
        numberOf("day", ...days.toReversed().filter(([, calls]) => calls !== null)),
        numberOf("day", ...days.slice(0, 2), ["2026-01-30", 1])
      ]
    ) {
      assert.notProperty(chart, "trend")
      assert.isNull(describeTrend(chart))
    }
  })

  it("keeps the newest periods of a long table", () => {
    const start = Date.parse("2026-01-01T00:00:00Z")
    const rows = Array.from({ length: maxTrend + 9 }, (_, row): ReadonlyArray<Value> => [
      new Date(start - row * 86_400_000).toISOString(),
      row
    ])
    const values = numberOf("day", ...rows).trend?.values ?? []
    assert.deepStrictEqual([values.length, values[0], values.at(-1)], [maxTrend, maxTrend - 1, 0])
  })
})
