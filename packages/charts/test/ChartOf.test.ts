import { assert, describe, it } from "@effect/vitest"
import {
  type Chart,
  chartOf,
  MAX_BARS,
  MAX_POINTS,
  MAX_SERIES,
  type Picture,
  type PlotChart,
  type Value
} from "@trunkline/charts"
import { Either, FastCheck } from "effect"

const table = (columns: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<Value>>) => ({
  columns: columns.map((name) => ({ name })),
  rows
})

const picture = (viz_type: Picture["viz_type"], viz_config: Picture["viz_config"], of: Picture["table"]): Picture => ({
  title: "Calls",
  viz_type,
  viz_config,
  table: of
})

const plot = (
  of: Picture["table"],
  config: Picture["viz_config"] = { x_axis: "x", y_axis: ["y"] },
  kind: "bar" | "line" = "bar"
): PlotChart => {
  const chart = Either.getOrThrow(chartOf(picture(kind, config, of)))
  if (chart.kind === "number") return assert.fail("it is a number")
  return chart
}

const refusal = (of: Picture): string => {
  const chart = chartOf(of)
  if (Either.isRight(chart)) return assert.fail("it is a chart")
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

  it("draws numbers up to 1e18, and says how many values it leaves out; what is absent is a gap without a word", () => {
    const chart = plot(table(["x", "y"], ["a", 1e18], ["b", "-1e18"], ["c", 1.1e18], ["d", null], ["e", " "]))
    assert.deepStrictEqual(chart.series[0]?.values, [1e18, -1e18, null, null, null])
    assert.strictEqual(chart.note, "1 value could not be drawn")
    assert.isNull(plot(table(["x", "y"], ["a", 1], ["b", null], ["c", ""])).note)
  })

  it("counts what is left out of the bars that are drawn, and of all points of a line", () => {
    const rows = Array.from({ length: MAX_POINTS + 1 }, (_, row): ReadonlyArray<Value> => [row, row === 0 ? 1 : "no"])
    const of = table(["x", "y"], ...rows)
    assert.strictEqual(plot(of).note, "The first 60 of 5,001 rows. 59 values could not be drawn")
    const line = plot(of, { x_axis: "x", y_axis: ["y"] }, "line")
    assert.strictEqual(line.note, "The highs and lows of 5,001 rows. 5,000 values could not be drawn")
  })

  it("takes the column that is called exactly so before one that is so but for its case", () => {
    const both = table(["X", "x", "Y"], ["upper", "lower", 1])
    assert.deepStrictEqual(plot(both).x.labels, ["lower"])
    assert.deepStrictEqual(plot(both, { x_axis: "X", y_axis: ["y"] }).x.labels, ["upper"])
    assert.deepStrictEqual(plot(both, { x_axis: "X", y_axis: ["y", "Y"] }).series.length, 1)
  })

  it("keeps rows of the same category apart, and writes what has no text as a dash", () => {
    const chart = plot(table(["x", "y"], ["a", 1], ["a", 2], [null, 3], ["", 4], [2026, 5], [0.1 + 0.2, 6], [true, 7]))
    assert.deepStrictEqual(chart.x.labels, ["a", "a", "–", "–", "2026", "0.3", "true"])
    assert.deepStrictEqual(chart.series[0]?.values, [1, 2, 3, 4, 5, 6, 7])
  })

  it("says which column is missing and which there are", () => {
    const of = table(["day", "calls"], ["a", 1])
    const missing = refusal(picture("bar", { x_axis: "date", y_axis: ["calls"] }, of))
    assert.strictEqual(missing, `There is no column "date". The result has "day", "calls"`)
    assert.include(refusal(picture("line", { x_axis: "day", y_axis: ["calls", "cost"] }, of)), `no column "cost"`)
    assert.include(refusal(picture("bar", { y_axis: ["calls"] }, of)), `viz_config has no x_axis. The result has "day"`)
    for (const y_axis of [[], "calls", [1], undefined]) {
      assert.include(refusal(picture("bar", { x_axis: "day", y_axis }, of)), "viz_config has no y_axis")
    }
  })

  it("is none without rows or without a number, and a table is none", () => {
    assert.strictEqual(
      refusal(picture("bar", { x_axis: "x", y_axis: ["y"] }, table(["x", "y"]))),
      "The result has no rows"
    )
    assert.include(
      refusal(picture("bar", { x_axis: "x", y_axis: ["y"] }, table(["x", "y"], ["a", "b"]))),
      `number to draw in "y"`
    )
    assert.strictEqual(
      refusal(picture("bar", { x_axis: "x", y_axis: ["y"] }, table(["x", "y"], ["a", "b"], ["c", 1e19], ["d", null]))),
      `There is no number to draw in "y": 2 values could not be drawn, being no numbers or beyond 1e18`
    )
    assert.include(refusal(picture("table", {}, table(["x"], [1]))), "not as a chart")
  })

  it("names columns without a name by their place, and like-named ones apart", () => {
    const chart = plot(table(["x", " a ", "a", "\u0007"], ["one", 1, 2, 3]), {
      x_axis: "x",
      y_axis: [" a ", "a", "\u0007"]
    })
    assert.deepStrictEqual(chart.series.map(({ name }) => name), ["a", "a (2)", "Column 4"])
  })

  it("draws the first bars and columns of too many, and says so", () => {
    const columns = Array.from({ length: MAX_SERIES + 2 }, (_, index) => `y${index}`)
    const rows = Array.from({ length: MAX_BARS + 1 }, (_, row) => [`a${row}`, ...columns.map(() => row)])
    const chart = plot(table(["x", ...columns], ...rows), { x_axis: "x", y_axis: columns })
    assert.strictEqual(chart.x.labels.length, MAX_BARS)
    assert.strictEqual(chart.series.length, MAX_SERIES)
    assert.strictEqual(chart.note, "The first 60 of 61 rows, the first 8 of 10 columns")
  })

  it("draws the highs and lows of a line through too many points, and its gaps", () => {
    const rows = Array.from({ length: 10_000 }, (_, row): ReadonlyArray<Value> => [
      row,
      row === 7_777 ? 1_000 : row === 1_234 ? -5 : row === 4_321 ? null : row % 3
    ])
    const chart = plot(table(["x", "y"], ...rows), { x_axis: "x", y_axis: ["y"] }, "line")
    const values = chart.series[0]?.values ?? []
    assert.isAtMost(values.length, MAX_POINTS)
    assert.includeMembers([...values], [1_000, -5, null])
    assert.strictEqual(chart.x.labels[values.indexOf(1_000)], "7777")
    assert.strictEqual(chart.note, "The highs and lows of 10,000 rows")
  })
})

describe("times on the x axis", () => {
  it("moments are shown in India, as days where all are midnight there", () => {
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

  it("moments without a zone, days and months are shown as they are written", () => {
    assert.deepStrictEqual(labelsOf("bar", "2026-01-31 23:05", "2026-02-01T00:00:00").labels, [
      "31 Jan, 23:05",
      "1 Feb, 00:00"
    ])
    assert.deepStrictEqual(labelsOf("bar", "2025-12-31", "2026-01-01").labels, ["31 Dec 2025", "1 Jan 2026"])
    assert.deepStrictEqual(labelsOf("bar", "2025-12", "2026-01").labels, ["Dec 2025", "Jan 2026"])
  })

  it("are times only where all values are", () => {
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

  it("a line follows time, and bars the rows", () => {
    const days = ["2026-01-03", "2026-01-01", "2026-01-02"]
    assert.deepStrictEqual(labelsOf("bar", ...days).labels, ["3 Jan", "1 Jan", "2 Jan"])
    const line = labelsOf("line", ...days)
    assert.deepStrictEqual(line.labels, ["1 Jan", "2 Jan", "3 Jan"])
    assert.deepStrictEqual(line.times?.map((at) => at / 86_400_000), [20_454, 20_455, 20_456])
    assert.strictEqual(line.unit, "day")
  })
})

describe("a chart of a number", () => {
  const number = (config: Picture["viz_config"], of: Picture["table"]) => chartOf(picture("number", config, of))

  it("is the first row of its column, or of the first column with a number", () => {
    const of = table(["name", "calls", "Cost"], ["a", "12", 7], ["b", 1, 1])
    const found: Chart = { kind: "number", title: "Calls", name: "calls", value: 12 }
    assert.deepStrictEqual(number({}, of), Either.right(found))
    assert.deepStrictEqual(number({ value_column: "cost" }, of), Either.right({ ...found, name: "Cost", value: 7 }))
  })

  it("is none where there is no number", () => {
    const of = table(["name", "calls"], ["a", null], ["b", 1])
    assert.strictEqual(refusal(picture("number", {}, of)), "The first row of the result has no number")
    assert.include(refusal(picture("number", { value_column: "calls" }, of)), `no number in "calls"`)
    const large = table(["name", "calls", "cost"], ["a", "1e19", 1])
    const tooLarge = `The number in "calls" in the first row of the result is too large to draw: it is beyond 1e18`
    assert.strictEqual(refusal(picture("number", {}, large)), tooLarge)
    assert.strictEqual(refusal(picture("number", { value_column: "calls" }, large)), tooLarge)
    assert.strictEqual(
      refusal(picture("number", { value_column: "name" }, large)),
      `The value in "name" in the first row of the result is not a number`
    )
    assert.include(refusal(picture("number", { value_column: "cost" }, of)), `There is no column "cost"`)
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
    "is bounded, whole, and fit for a file",
    [
      FastCheck.array(FastCheck.tuple(values, values, values), { maxLength: 100 }),
      FastCheck.constantFrom("bar" as const, "line" as const)
    ],
    ([rows, kind]) => {
      const chart = chartOf(picture(kind, { x_axis: "x", y_axis: ["y", "z"] }, table(["x", "y", "z"], ...rows)))
      if (Either.isLeft(chart) || chart.right.kind === "number") return
      const { series, x } = chart.right
      assert.isAtMost(x.labels.length, kind === "bar" ? MAX_BARS : MAX_POINTS)
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
