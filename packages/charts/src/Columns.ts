import { Either } from "effect"
import { type ChartError, type Table, unsuitableError, type Value } from "./Chart.js"
import { plainText, truncateText } from "./Format.js"

/** A column of a table, by its index. */
export interface Column {
  readonly index: number
  readonly name: string
}

const maxListedColumns = 20

const nameOf = (name: string): string => truncateText(plainText(name), 60)

/** Lists the existing columns for an error message. */
const describeColumns = ({ columns }: Table): string => {
  const names = columns.slice(0, maxListedColumns).map(({ name }) => `"${nameOf(name)}"`).join(", ")
  const more = columns.length > maxListedColumns ? ` and ${columns.length - maxListedColumns} more` : ""
  return columns.length === 0 ? "The result has no columns" : `The result has ${names}${more}`
}

/** Finds a column by exact name, or else case-insensitively. */
export const findColumn = (table: Table, name: string): Either.Either<Column, ChartError> => {
  const exact = table.columns.findIndex((column) => column.name === name)
  const lower = name.toLowerCase()
  const index = exact >= 0 ? exact : table.columns.findIndex((column) => column.name.toLowerCase() === lower)
  const columnAt = table.columns[index]
  return columnAt === undefined
    ? Either.left(unsuitableError(`There is no column "${nameOf(name)}". ${describeColumns(table)}`))
    : Either.right({ index, name: plainText(columnAt.name) || `Column ${index + 1}` })
}

/** Error for a missing setting; the message lists the columns that it may name. */
export const missingSetting = (table: Table, setting: string): ChartError =>
  unsuitableError(`viz_config has no ${setting}. ${describeColumns(table)}`)

/** Values of a column, in row order. */
export const valuesOf = (table: Table, column: Column): ReadonlyArray<Value> =>
  table.rows.map((row) => row[column.index] ?? null)

type Values = ReadonlyArray<number | null>

/** Positions of the lowest and the highest value of a stretch. */
const extremes = (values: Values, from: number, to: number): ReadonlyArray<number> => {
  let [lowest, highest] = [-1, -1]
  let [low, high] = [Infinity, -Infinity]
  for (let position = from; position < to; position++) {
    const value = values[position]
    if (value == null) continue
    if (value < low) [lowest, low] = [position, value]
    if (value > high) [highest, high] = [position, value]
  }
  return [lowest, highest].filter((position) => position >= 0)
}

/** Position of the first gap of a stretch, so that no line is drawn across it. */
const firstGap = (values: Values, from: number, to: number): ReadonlyArray<number> => {
  const position = values.slice(from, to).indexOf(null)
  return position < 0 ? [] : [from + position]
}

/**
 * Picks at most `most` positions of a line, always including the first and the last. The line is divided into stretches
 * of equal length; each keeps every series' lowest value, highest value and first gap, so no peak, trough or gap
 * disappears.
 */
export const downsample = (series: ReadonlyArray<Values>, length: number, max: number): ReadonlyArray<number> => {
  if (length <= max) return Array.from({ length }, (_, position) => position)
  const stretches = Math.max(1, Math.floor((max - 2) / (3 * series.length)))
  const positions = new Set([0, length - 1])
  for (let stretch = 0; stretch < stretches; stretch++) {
    const [from, to] = [stretch, stretch + 1].map((each) => Math.floor(each * length / stretches))
    for (const values of series) {
      for (const position of [...extremes(values, from ?? 0, to ?? 0), ...firstGap(values, from ?? 0, to ?? 0)]) {
        positions.add(position)
      }
    }
  }
  return [...positions].toSorted((one, other) => one - other)
}
