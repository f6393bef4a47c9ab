import type { Cell, QueryResult } from "@trunkline/warehouse"
import type { Report } from "./Report.js"
import { toOneLine } from "./Text.js"

/** Longest column name shown. */
const maxColumnName = 60

/** Part of a result that a message shows. */
export interface Excerpt {
  readonly columns: ReadonlyArray<{
    readonly name: string
    /** True for columns of numbers, which are right-aligned. */
    readonly numeric: boolean
  }>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

/** First rows and columns of a result. */
export const makeExcerpt = (
  result: QueryResult,
  max: { readonly rows: number; readonly columns: number }
): Excerpt => {
  const rows = result.rows.slice(0, max.rows).map((row) => row.slice(0, max.columns))
  const numeric = (index: number) =>
    rows.some((row) => typeof row[index] === "number") &&
    rows.every((row) => typeof row[index] === "number" || (row[index] ?? null) === null)
  return {
    columns: result.columns.slice(0, max.columns).map(({ name }, index) => ({
      name: toOneLine(name, maxColumnName),
      numeric: numeric(index)
    })),
    rows
  }
}

/** Value of a `number` widget and its column. */
interface SingleValue {
  readonly value: Cell
  readonly column: string
  /** True when the result consists of this value only. */
  readonly isWholeResult: boolean
}

/**
 * Value of a `number` widget: the first row's value in the column `value_column`, or in the first column. Undefined for
 * other widgets and for results without rows.
 */
export const singleValueOf = (
  { viz_config, viz_type }: Report,
  { columns, rows }: QueryResult
): SingleValue | undefined => {
  if (viz_type !== "number" || rows[0] === undefined || columns.length === 0) return undefined
  const index = Math.max(columns.findIndex(({ name }) => name === viz_config.value_column), 0)
  return {
    value: rows[0][index] ?? null,
    column: toOneLine(columns[index]?.name ?? "", maxColumnName),
    isWholeResult: rows.length === 1 && columns.length === 1
  }
}

/** Characters that take two columns in a fixed-width font: East Asian characters and most emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Combining marks and joiners, which take no column. */
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}]/u

/** Columns that a text takes in a fixed-width font. */
const displayWidth = (text: string): number => {
  let width = 0
  for (const character of text) {
    width += character < "\u0300"
      ? 1
      : zeroWidth.test(character)
      ? 0
      : wide.test(character)
      ? 2
      : 1
  }
  return width
}

const pad = (text: string, width: number, toRight: boolean): string => {
  const padding = " ".repeat(Math.max(width - displayWidth(text), 0))
  return toRight ? padding + text : text + padding
}

/** Column of a fixed-width table. */
interface FixedColumn {
  readonly name: string
  /** Aligns the column to the right. */
  readonly numeric: boolean
}

/** Widths of columns that fit their names and rows. */
export const columnWidths = (
  columns: ReadonlyArray<FixedColumn>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<number> =>
  columns.map(({ name }, index) =>
    rows.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? "")), displayWidth(name))
  )

/** Lines of a fixed-width table: names, a rule, rows. */
export const fixedTable = (
  columns: ReadonlyArray<FixedColumn>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const widths = columnWidths(columns, rows)
  const line = (cells: ReadonlyArray<string>) =>
    columns.map(({ numeric }, index) => pad(cells[index] ?? "", widths[index] ?? 0, numeric)).join("  ").trimEnd()
  return [
    line(columns.map(({ name }) => name)),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...rows.map(line)
  ]
}
