import { assert, describe, it } from "@effect/vitest"
import {
  type Chart,
  chartOf,
  type ChartRequest,
  maxBars,
  maxPoints,
  maxSeries,
  type PlotChart,
  type Value
} from "@trunkline/charts"
import { Either, FastCheck } from "effect"

const table = (columns: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<Value>>) => ({
  columns: columns.map((name) => ({ name })),
  rows
})

const request = (
  viz_type: ChartRequest["viz_type"],
  viz_config: ChartRequest["viz_config"],
  of: ChartRequest["table"]
): ChartRequest => ({
  title: "Calls",
  viz_type,
  viz_config,
  table: of
})

const plot = (
  of: ChartRequest["table"],
  config: ChartRequest["viz_config"] = { x_axis: "x", y_axis: ["y"] },
  kind: "bar" | "line" = "bar"
): PlotChart => {
  const chart = Either.getOrThrow(chartOf(request(kind, config, of)))
  if (chart.kind === "number" || chart.kind === "empty") return assert.fail(`expected a plot, got ${chart.kind}`)
  return chart
}

const errorOf = (of: ChartRequest): string => {
  const chart = chartOf(of)
  if (Either.isRight(chart)) return assert.fail("expected an error, got a chart")
  assert.strictEqual(chart.left.kind, "unsuitable")
  return chart.left.message
}

const labelsOf = (kind: "bar" | "line", ...values: ReadonlyArray<Value>) =>
  plot(table(["x", "y"], ...values.map((value, index) => [value, index])), { x_axis: "x", y_axis: ["y"] }, kind).x

describe("a chart of bars or lines", () => {
  it("has a series for each column of y_axis, of numbers and of texts that are numbers", () => {
    const chart = plot(
      table(["x", "y", "z"], ["a", 1, " 2.5 "], ["b", null, "many"], ["c", "-3e2", Infinity], ["d", true, ""]),
      { x_axis: "x", y_axis: ["y", "z", "y"] }
    )
    assert.deepStrictEqual(chart.series, [
      { name: "y", values: [1, null, -300, null] },
      { name: "z", values: [2.5, null, null, null] }
    ])
    assert.deepStrictEqual(chart.x, { name: "x", labels: ["a", "b", "c", "d"], times: null, unit: null })
    assert.strictEqual(chart.note, "3 values could not be drawn")
  })

  it("draws numbers up to 1e18 and counts the skipped values, but not empty ones", () => {
    const chart = plot(table(["x", "y"], ["a", 1e18], ["b", "-1e18"], ["c", 1.1e18], ["d", null], ["e", " "]))
    assert.deepStrictEqual(chart.series[0]?.values, [1e18, -1e18, null, null, null])
    assert.strictEqual(chart.note, "1 value could not be drawn")
    assert.isNull(plot(table(["x", "y"], ["a", 1], ["b", null], ["c", ""])).note)
  })

  it("counts skipped values of the drawn bars, and of all points of a line", () => {
    const rows = Array.from({ length: maxPoints + 1 }, (_, row): ReadonlyArray<Value> => [row, row === 0 ? 1 : "no"])
    const of = table(["x", "y"], ...rows)
    assert.strictEqual(plot(of).note, "The first 60 of 5,001 rows. 59 values could not be drawn")
    const line = plot(of, { x_axis: "x", y_axis: ["y"] }, "line")
    assert.strictEqual(line.note, "The highs and lows of 5,001 rows. 5,000 values could not be drawn")
  })

  it("prefers an exact column name over a case-insensitive match", () => {
    const both = table(["X", "x", "Y"], ["upper", "lower", 1])
    assert.deepStrictEqual(plot(both).x.labels, ["lower"])
    assert.deepStrictEqual(plot(both, { x_axis: "X", y_axis: ["y"] }).x.labels, ["upper"])
    assert.deepStrictEqual(plot(both, { x_axis: "X", y_axis: ["y", "Y"] }).series.length, 1)
  })

  it("keeps rows of the same category separate, and labels empty values with a dash", () => {
    const chart = plot(table(["x", "y"], ["a", 1], ["a", 2], [null, 3], ["", 4], [2026, 5], [0.1 + 0.2, 6], [true, 7]))
    assert.deepStrictEqual(chart.x.labels, ["a", "a", "–", "–", "2026", "0.3", "true"])
    assert.deepStrictEqual(chart.series[0]?.values, [1, 2, 3, 4, 5, 6, 7])
  })

  it("names the missing column and lists the existing ones", () => {
    const of = table(["day", "calls"], ["a", 1])
    const missing = errorOf(request("bar", { x_axis: "date", y_axis: ["calls"] }, of))
    assert.strictEqual(missing, `There is no column "date". The result has "day", "calls"`)
    assert.include(errorOf(request("line", { x_axis: "day", y_axis: ["calls", "cost"] }, of)), `no column "cost"`)
    assert.include(errorOf(request("bar", { y_axis: ["calls"] }, of)), `viz_config has no x_axis. The result has "day"`)
    for (const y_axis of [[], "calls", [1], undefined]) {
      assert.include(errorOf(request("bar", { x_axis: "day", y_axis }, of)), "viz_config has no y_axis")
    }
  })

  it("is a picture that says so for a result without rows or values", () => {
    const empty = (viz_type: "bar" | "line" | "number", message: string) =>
      Either.right<Chart>({ kind: "empty", title: "Calls", viz_type, message })
    for (const kind of ["bar", "line"] as const) {
      const of = (...rows: ReadonlyArray<ReadonlyArray<Value>>) =>
        chartOf(request(kind, { x_axis: "x", y_axis: ["y"] }, table(["x", "y"], ...rows)))
      assert.deepStrictEqual(of(), empty(kind, "The result has no rows"))
      assert.deepStrictEqual(of(["a", null], ["b", ""]), empty(kind, "The result has no values"))
    }
    for (const config of [{}, { value_column: "y" }]) {
      const of = (...rows: ReadonlyArray<ReadonlyArray<Value>>) =>
        chartOf(request("number", config, table(["x", "y"], ...rows)))
      assert.deepStrictEqual(of(), empty("number", "The result has no rows"))
      assert.deepStrictEqual(of([null, null]), empty("number", "The result has no values"))
    }
    assert.deepStrictEqual(
      chartOf(request("number", { value_column: "y" }, table(["x", "y"], ["a", null], ["b", 1]))),
      empty("number", "The result has no values")
    )
  })

  it("rejects results without numbers, and tables", () => {
    assert.include(
      errorOf(request("bar", { x_axis: "x", y_axis: ["y"] }, table(["x", "y"], ["a", "b"]))),
      `number to draw in "y"`
    )
    assert.strictEqual(
      errorOf(request("bar", { x_axis: "x", y_axis: ["y"] }, table(["x", "y"], ["a", "b"], ["c", 1e19], ["d", null]))),
      `There is no number to draw in "y": 2 values could not be drawn, being no numbers or beyond 1e18`
    )
    assert.include(errorOf(request("table", {}, table(["x"], [1]))), "not as a chart")
  })

  it("names unnamed columns by position and numbers duplicate names", () => {
    const chart = plot(table(["x", " a ", "a", "\u0007"], ["one", 1, 2, 3]), {
      x_axis: "x",
      y_axis: [" a ", "a", "\u0007"]
    })
    assert.deepStrictEqual(chart.series.map(({ name }) => name), ["a", "a (2)", "Column 4"])
  })

  it("limits bars and columns, with a note", () => {
    const columns = Array.from({ length: maxSeries + 2 }, (_, index) => `y${index}`)
    const rows = Array.from({ length: maxBars + 1 }, (_, row) => [`a${row}`, ...columns.map(() => row)])
    const chart = plot(table(["x", ...columns], ...rows), { x_axis: "x", y_axis: columns })
    assert.strictEqual(chart.x.labels.length, maxBars)
    assert.strictEqual(chart.series.length, maxSeries)
    assert.strictEqual(chart.note, "The first 60 of 61 rows, the first 8 of 10 columns")
  })

  it("downsamples a long line to its extremes and gaps", () => {
    const rows = Array.from({ length: 10_000 }, (_, row): ReadonlyArray<Value> => [
      row,
      row === 7_777 ? 1_000 : row === 1_234 ? -5 : row === 4_321 ? null : row % 3
    ])
    const chart = plot(table(["x", "y"], ...rows), { x_axis: "x", y_axis: ["y"] }, "line")
    const values = chart.series[0]?.values ?? []
    assert.isAtMost(values.length, maxPoints)
    assert.includeMembers([...values], [1_000, -5, null])
    assert.strictEqual(chart.x.labels[values.indexOf(1_000)], "7777")
    assert.strictEqual(chart.note, "The highs and lows of 10,000 rows")
  })
})

describe("times on the x axis", () => {
  it("shows moments in Indian time, as days when all fall on midnight there", () => {
    assert.deepStrictEqual(
      labelsOf("bar", "2026-01-31T12:00:00.000Z", "2026-01-31 18:45:30+00:00", "2026-02-01T00:15:00+0530").labels,
      ["31 Jan, 17:30", "1 Feb, 00:15", "1 Feb, 00:15"]
    )
    assert.deepStrictEqual(
      labelsOf("bar", "2026-01-30T18:30:00.000Z", "2025-12-31T18:30Z").labels,
      [
        "31 Jan 2026",
        "1 Jan 2026"
      ].map((label) => label.replace(" 2026", ""))
    )
  })

  it("shows moments without a zone, days and months as written", () => {
    assert.deepStrictEqual(labelsOf("bar", "2026-01-31 23:05", "2026-02-01T00:00:00").labels, [
      "31 Jan, 23:05",
      "1 Feb, 00:00"
    ])
    assert.deepStrictEqual(labelsOf("bar", "2025-12-31", "2026-01-01").labels, ["31 Dec 2025", "1 Jan 2026"])
    assert.deepStrictEqual(labelsOf("bar", "2025-12", "2026-01").labels, ["Dec 2025", "Jan 2026"])
  })

  it("treats a column as times only when all its values are times", () => {
    for (const other of ["soon", "2026-02-30", "2026-13", "9999-01-01", "2026-01-01T24:00", 7]) {
      assert.deepStrictEqual(labelsOf("line", "2026-01-01", other).labels, ["2026-01-01", String(other)])
    }
    assert.deepStrictEqual(labelsOf("line", "2026-01-01", null), {
      name: "x",
      labels: ["1 Jan", "–"],
      times: null,
      unit: null
    })
  })

  it("sorts a line by time and keeps bars in row order", () => {
    const days = ["2026-01-03", "2026-01-01", "2026-01-02"]
    assert.deepStrictEqual(labelsOf("bar", ...days).labels, ["3 Jan", "1 Jan", "2 Jan"])
    const line = labelsOf("line", ...days)
    assert.deepStrictEqual(line.labels, ["1 Jan", "2 Jan", "3 Jan"])
    assert.deepStrictEqual(line.times?.map((at) => at / 86_400_000), [20_454, 20_455, 20_456])
    assert.strictEqual(line.unit, "day")
  })
})

describe("a chart of a number", () => {
  const number = (config: ChartRequest["viz_config"], of: ChartRequest["table"]) =>
    chartOf(request("number", config, of))

  it("draws the first row of its column, or of the first column with a number", () => {
    const of = table(["name", "calls", "Cost"], ["a", "12", 7], ["b", 1, 1])
    const chart: Chart = { kind: "number", title: "Calls", name: "calls", value: 12 }
    assert.deepStrictEqual(number({}, of), Either.right(chart))
    assert.deepStrictEqual(number({ value_column: "cost" }, of), Either.right({ ...chart, name: "Cost", value: 7 }))
  })

  it("rejects results without a number to draw", () => {
    const of = table(["name", "calls"], ["a", null], ["b", 1])
    assert.strictEqual(errorOf(request("number", {}, of)), "The first row of the result has no number")
    const large = table(["name", "calls", "cost"], ["a", "1e19", 1])
    const tooLarge = `The number in "calls" in the first row of the result is too large to draw: it is beyond 1e18`
    assert.strictEqual(errorOf(request("number", {}, large)), tooLarge)
    assert.strictEqual(errorOf(request("number", { value_column: "calls" }, large)), tooLarge)
    assert.strictEqual(
      errorOf(request("number", { value_column: "name" }, large)),
      `The value in "name" in the first row of the result is not a number`
    )
    assert.include(errorOf(request("number", { value_column: "cost" }, of)), `There is no column "cost"`)
  })
})

describe("every chart", () => {
  const values: FastCheck.Arbitrary<Value> = FastCheck.oneof(
    FastCheck.constant(null),
    FastCheck.boolean(),
    FastCheck.double(),
    FastCheck.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    FastCheck.string({ unit: "binary" })
  )

  it.prop(
    "respects the limits and contains only valid XML text",
    [
      FastCheck.array(FastCheck.tuple(values, values, values), { maxLength: 100 }),
      FastCheck.constantFrom("bar" as const, "line" as const)
    ],
    ([rows, kind]) => {
      const chart = chartOf(request(kind, { x_axis: "x", y_axis: ["y", "z"] }, table(["x", "y", "z"], ...rows)))
      if (Either.isLeft(chart) || !("series" in chart.right)) return
      const { series, x } = chart.right
      assert.isAtMost(x.labels.length, kind === "bar" ? maxBars : maxPoints)
      for (const each of series) {
        assert.strictEqual(each.values.length, x.labels.length)
        assert.isTrue(each.values.every((value) => value === null || Math.abs(value) <= 1e18))
      }
      for (const text of x.labels) assert.notMatch(text, /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u)
      if (kind === "line" && x.times !== null) {
        assert.deepStrictEqual(x.times, x.times.toSorted((one, other) => one - other))
      }
    }
  )
})
