import { Either } from "effect"
import { type Axis, MAX_BARS, MAX_POINTS, MAX_SERIES, type PlotChart, type Series } from "./Chart.js"
import { type Column, findColumn, missingSetting, valuesOf } from "./Columns.js"
import { type NoPicture, unsuitable } from "./NoPicture.js"
import { fullNumber, isUndrawable, LARGEST_NUMBER, numberIn, shortNumber } from "./Numbers.js"
import type { Picture, Table, Value } from "./Picture.js"
import { plainText } from "./PlainText.js"
import { thinned } from "./Thinned.js"
import { readTimes, timesOf } from "./Times.js"

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** The columns that the settings name. */
const columnsOf = ({ table, viz_config: { x_axis, y_axis } }: Picture) =>
  Either.gen(function*() {
    if (!isText(x_axis)) return yield* Either.left(missingSetting(table, "x_axis"))
    if (!Array.isArray(y_axis) || y_axis.length === 0 || !y_axis.every(isText)) {
      return yield* Either.left(missingSetting(table, "y_axis"))
    }
    const x = yield* findColumn(table, x_axis)
    const all = yield* Either.all([...new Set(y_axis)].map((name) => findColumn(table, name)))
    return { x, all: all.filter(({ index }, place) => all.findIndex((other) => other.index === index) === place) }
  })

/** A name that none before it has. */
const unlike = (names: ReadonlySet<string>, name: string): string => {
  let candidate = name
  for (let number = 2; names.has(candidate); number++) candidate = `${name} (${number})`
  return candidate
}

const seriesOf = (table: Table, columns: ReadonlyArray<Column>): ReadonlyArray<Series> => {
  const names = new Set<string>()
  return columns.map((column) => {
    const name = unlike(names, column.name)
    names.add(name)
    return { name, values: valuesOf(table, column).map(numberIn) }
  })
}

/** How many values of these columns are there and cannot be drawn. */
const countUndrawable = (rows: Table["rows"], columns: ReadonlyArray<Column>): number =>
  rows.reduce((all, row) => all + columns.filter(({ index }) => isUndrawable(row[index] ?? null)).length, 0)

const undrawn = (count: number): string =>
  `${count === 1 ? "1 value" : `${fullNumber(count)} values`} could not be drawn`

const writeValue = (value: Value): string => {
  if (value === null) return "–"
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : fullNumber(value)
  return plainText(String(value)) || "–"
}

const axisOf = (name: string, values: ReadonlyArray<Value>): Axis => {
  const present = values.filter((value) => value !== null)
  const times = timesOf(present)
  if (times === null) return { name, labels: values.map(writeValue), times: null, unit: null }
  const read = readTimes(times).values()
  const labels = values.map((value) => value === null ? writeValue(value) : read.next().value ?? "")
  const isWhole = present.length === values.length
  return { name, labels, times: isWhole ? times.at : null, unit: isWhole ? times.unit : null }
}

/** Which rows are drawn and in what order, and what is to be said of the others. */
interface Choice {
  readonly places: ReadonlyArray<number>
  readonly notes: ReadonlyArray<string>
}

const firstBars = (length: number): Choice => ({
  places: Array.from({ length: Math.min(length, MAX_BARS) }, (_, place) => place),
  notes: length > MAX_BARS ? [`The first ${MAX_BARS} of ${fullNumber(length)} rows`] : []
})

/** In the order of time, if they are times: a line through them never runs backwards. */
const wholeLine = (x: ReadonlyArray<Value>, series: ReadonlyArray<Series>): Choice => {
  const at = timesOf(x)?.at
  const order = at === undefined
    ? [...x.keys()]
    : [...x.keys()].toSorted((one, other) => (at[one] ?? 0) - (at[other] ?? 0))
  const kept = thinned(
    series.map(({ values }) => order.map((place) => values[place] ?? null)),
    order.length,
    MAX_POINTS
  )
  return {
    places: kept.map((place) => order[place] ?? 0),
    notes: kept.length < order.length ? [`The highs and lows of ${fullNumber(order.length)} rows`] : []
  }
}

/** Bars or lines of a table that has rows. */
export const plotOf = (picture: Picture, kind: "bar" | "line"): Either.Either<PlotChart, NoPicture> =>
  Either.gen(function*() {
    const { table } = picture
    const { all, x } = yield* columnsOf(picture)
    const drawn = all.slice(0, MAX_SERIES)
    const whole = seriesOf(table, drawn)
    const values = valuesOf(table, x)
    const { notes, places } = kind === "bar" ? firstBars(values.length) : wholeLine(values, whole)
    const undrawable = countUndrawable(kind === "bar" ? table.rows.slice(0, MAX_BARS) : table.rows, drawn)
    const series = whole.map((each) => ({ ...each, values: places.map((place) => each.values[place] ?? null) }))
    if (series.every((each) => each.values.every((value) => value === null))) {
      const names = series.map(({ name }) => `"${name}"`).join(", ")
      const why = `${undrawn(undrawable)}, being no numbers or beyond ${shortNumber(LARGEST_NUMBER)}`
      const reason = undrawable === 0 ? "" : `: ${why}`
      return yield* Either.left(unsuitable(`There is no number to draw in ${names}${reason}`))
    }
    const columns = all.length > MAX_SERIES
      ? [`${notes.length > 0 ? "the" : "The"} first ${MAX_SERIES} of ${all.length} columns`]
      : []
    const left = undrawable === 0 ? [] : [undrawn(undrawable)]
    const note = [[...notes, ...columns].join(", "), ...left].filter((sentence) => sentence !== "").join(". ")
    return {
      kind,
      title: plainText(picture.title),
      x: axisOf(x.name, places.map((place) => values[place] ?? null)),
      series,
      note: note === "" ? null : note
    }
  })
