import { Either } from "effect"
import {
  type Axis,
  type Chart,
  type ChartError,
  type ChartRequest,
  type EmptyChart,
  maxBars,
  maxPoints,
  maxSeries,
  type NumberChart,
  type PlotChart,
  type Series,
  type Table,
  unsuitableError,
  type Value
} from "./Chart.js"
import { type Column, downsample, findColumn, missingSetting, valuesOf } from "./Columns.js"
import {
  formatNumber,
  formatShortNumber,
  isUndrawable,
  maxNumber,
  numberOrNull,
  parseNumber,
  plainText
} from "./Format.js"
import { labelOfName, labelsOfTexts } from "./Labels.js"
import { formatTimes, parseTimes } from "./Times.js"
import { trendOf } from "./Trend.js"

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** Resolves the columns that the settings name. */
const columnsOf = ({ table, viz_config: { x_axis, y_axis } }: ChartRequest) =>
  Either.gen(function*() {
    if (!isText(x_axis)) return yield* Either.left(missingSetting(table, "x_axis"))
    if (!Array.isArray(y_axis) || y_axis.length === 0 || !y_axis.every(isText)) {
      return yield* Either.left(missingSetting(table, "y_axis"))
    }
    const x = yield* findColumn(table, x_axis)
    const ys = yield* Either.all([...new Set(y_axis)].map((name) => findColumn(table, name)))
    return { x, all: ys.filter(({ index }, position) => ys.findIndex((other) => other.index === index) === position) }
  })

/** Appends a counter to a name that is already taken. */
const uniqueName = (names: ReadonlySet<string>, name: string): string => {
  let candidate = name
  for (let number = 2; names.has(candidate); number++) candidate = `${name} (${number})`
  return candidate
}

const seriesOf = (table: Table, columns: ReadonlyArray<Column>): ReadonlyArray<Series> =>
  withUniqueNames(columns.map((column) => ({
    name: column.name,
    values: valuesOf(table, column).map(numberOrNull)
  })))

const withUniqueNames = (series: ReadonlyArray<Series>): ReadonlyArray<Series> => {
  const names = new Set<string>()
  return series.map((each) => {
    const name = uniqueName(names, each.name)
    names.add(name)
    return { ...each, name }
  })
}

/** The series with names for people. */
const withLabels = (series: ReadonlyArray<Series>): ReadonlyArray<Series> =>
  withUniqueNames(series.map((each) => ({ ...each, name: labelOfName(each.name) })))

/** Number of values in these columns that are present but cannot be drawn. */
const countSkipped = (rows: Table["rows"], columns: ReadonlyArray<Column>): number =>
  rows.reduce((total, row) => total + columns.filter(({ index }) => isUndrawable(row[index] ?? null)).length, 0)

const skippedNote = (count: number): string =>
  `${count === 1 ? "1 value" : `${formatNumber(count)} values`} could not be drawn`

const formatValue = (value: Value): string => {
  if (value === null) return "–"
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : formatNumber(value)
  return plainText(String(value)) || "–"
}

/** Labels of values that are not all times: texts that are codes in words, and all others as they are. */
const valueLabels = (column: string, values: ReadonlyArray<Value>): ReadonlyArray<string> => {
  const texts = values.filter((value) => typeof value === "string")
  const hasOthers = values.some((value) => value !== null && typeof value !== "string")
  const labels = hasOthers ? texts : labelsOfTexts(column, texts)
  const next = labels.values()
  return values.map((value) => formatValue(typeof value === "string" ? next.next().value ?? value : value))
}

const axisOf = (column: string, values: ReadonlyArray<Value>): Axis => {
  const present = values.filter((value) => value !== null)
  const name = labelOfName(column)
  const times = parseTimes(present)
  if (times === null) return { name, labels: valueLabels(column, values), times: null, unit: null }
  const read = formatTimes(times).values()
  const labels = values.map((value) => value === null ? formatValue(value) : read.next().value ?? "")
  const isWhole = present.length === values.length
  return { name, labels, times: isWhole ? times.at : null, unit: isWhole ? times.unit : null }
}

/** Rows to draw, in drawing order, and notes about omitted rows. */
interface RowSelection {
  readonly indices: ReadonlyArray<number>
  readonly notes: ReadonlyArray<string>
}

const selectBars = (length: number): RowSelection => ({
  indices: Array.from({ length: Math.min(length, maxBars) }, (_, position) => position),
  notes: length > maxBars ? [`The first ${maxBars} of ${formatNumber(length)} rows`] : []
})

/** Sorts times ascending, so that a line never runs backwards. */
const selectLinePoints = (x: ReadonlyArray<Value>, series: ReadonlyArray<Series>): RowSelection => {
  const at = parseTimes(x)?.at
  const order = at === undefined
    ? [...x.keys()]
    : [...x.keys()].toSorted((one, other) => (at[one] ?? 0) - (at[other] ?? 0))
  const positions = downsample(
    series.map(({ values }) => order.map((position) => values[position] ?? null)),
    order.length,
    maxPoints
  )
  return {
    indices: positions.map((position) => order[position] ?? 0),
    notes: positions.length < order.length ? [`The highs and lows of ${formatNumber(order.length)} rows`] : []
  }
}

const emptyChart = ({ title }: ChartRequest, viz_type: EmptyChart["viz_type"], message: string): EmptyChart => ({
  kind: "empty",
  title: plainText(title),
  viz_type,
  message
})

const noValues = "The result has no values"
const largest = formatShortNumber(maxNumber)

/** Builds a bar or line chart of a table that has rows. */
const plotOf = (request: ChartRequest, kind: "bar" | "line"): Either.Either<PlotChart | EmptyChart, ChartError> =>
  Either.gen(function*() {
    const { table } = request
    const { all, x } = yield* columnsOf(request)
    const shownColumns = all.slice(0, maxSeries)
    const allSeries = seriesOf(table, shownColumns)
    const values = valuesOf(table, x)
    const { notes, indices: rowIndices } = kind === "bar"
      ? selectBars(values.length)
      : selectLinePoints(values, allSeries)
    const skipCount = countSkipped(kind === "bar" ? table.rows.slice(0, maxBars) : table.rows, shownColumns)
    const series = allSeries.map((each) => ({
      ...each,
      values: rowIndices.map((position) => each.values[position] ?? null)
    }))
    if (series.every((each) => each.values.every((value) => value === null))) {
      if (skipCount === 0) return emptyChart(request, kind, noValues)
      const names = series.map(({ name }) => `"${name}"`).join(", ")
      const reason = `${skippedNote(skipCount)}, being no numbers or beyond ${largest}`
      return yield* Either.left(unsuitableError(`There is no number to draw in ${names}: ${reason}`))
    }
    const columns = all.length > maxSeries
      ? [`${notes.length > 0 ? "the" : "The"} first ${maxSeries} of ${all.length} columns`]
      : []
    const skippedNotes = skipCount === 0 ? [] : [skippedNote(skipCount)]
    const note = [[...notes, ...columns].join(", "), ...skippedNotes].filter((sentence) => sentence !== "").join(". ")
    return {
      kind,
      title: plainText(request.title),
      x: axisOf(x.name, rowIndices.map((position) => values[position] ?? null)),
      series: withLabels(series),
      note: note === "" ? null : note
    }
  })

/** First column whose first row holds a number, of any size. */
const numericColumn = (table: Table): Either.Either<Column, ChartError> => {
  const index = table.columns.findIndex((_, index) => {
    const read = parseNumber(table.rows[0]?.[index] ?? null)
    return typeof read === "number" || read === "too large"
  })
  const name = table.columns[index]?.name
  return name === undefined
    ? Either.left(unsuitableError("The first row of the result has no number"))
    : Either.right({ index, name: plainText(name) || `Column ${index + 1}` })
}

/** Error messages for a first row whose value in the column cannot be drawn. */
const reasons = {
  "no number": (name: string) => `The value in "${name}" in the first row of the result is not a number`,
  "too large": (name: string) =>
    `The number in "${name}" in the first row of the result is too large to draw: it is beyond ${largest}`
}

const numberChartOf = (
  request: ChartRequest
): Either.Either<NumberChart | EmptyChart, ChartError> =>
  Either.gen(function*() {
    const { table, title, viz_config: { value_column } } = request
    if (table.rows[0]?.every((value) => parseNumber(value) === "absent")) return emptyChart(request, "number", noValues)
    const column = yield* typeof value_column === "string" && value_column !== ""
      ? findColumn(table, value_column)
      : numericColumn(table)
    const value = parseNumber(table.rows[0]?.[column.index] ?? null)
    if (value === "absent") return emptyChart(request, "number", noValues)
    if (typeof value === "string") return yield* Either.left(unsuitableError(reasons[value](column.name)))
    const trend = trendOf(request, column)
    return { kind: "number", title: plainText(title), name: labelOfName(column.name), value, ...(trend && { trend }) }
  })

/**
 * Builds the chart of a table.
 *
 * - `number` draws the first row of `value_column`, or of the first column that holds a number there. When the rows are
 *   periods, newest first, and `x_axis` names the column of their times, the chart has the change against the second row
 *   and a trend.
 * - `bar` and `line` draw the columns of `y_axis` over the column `x_axis`, one position per row. Rows of the same
 *   category stay separate; nothing is summed. Column names match exactly, or else case-insensitively. Numbers up to
 *   1e18 and numeric texts are drawn; other values become gaps, and the note counts those that are not empty.
 *   `maxSeries`, `maxBars` and `maxPoints` limit what is drawn, with a note. Times on the x axis are shown in Indian
 *   Standard Time, and a line over times is sorted by time.
 * - `table` has no chart.
 *
 * Codes such as `no_answer` are labelled for people as `No answer`, on the axis and in the names of columns.
 *
 * A table without rows, or without values where the numbers should be, makes a picture that says so. Fails with an
 * `unsuitable` error when the values there are no numbers, or a column that the settings name is missing.
 *
 * @example
 * ```ts
 * import { chartOf } from "@trunkline/charts"
 *
 * const chart = chartOf({
 *   title: "Calls per day",
 *   viz_type: "bar",
 *   viz_config: { x_axis: "day", y_axis: ["calls"] },
 *   table: { columns: [{ name: "day" }, { name: "calls" }], rows: [["2026-01-31", 12], ["2026-02-01", 9]] }
 * })
 * ```
 */
export const chartOf = (request: ChartRequest): Either.Either<Chart, ChartError> => {
  if (request.viz_type === "table") return Either.left(unsuitableError("A table is shown as it is, not as a chart"))
  if (request.table.rows.length === 0) {
    return Either.right(emptyChart(request, request.viz_type, "The result has no rows"))
  }
  return request.viz_type === "number" ? numberChartOf(request) : plotOf(request, request.viz_type)
}
