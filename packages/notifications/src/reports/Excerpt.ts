import type { Cell, QueryResult } from "@trunkline/warehouse"
import { oneLine } from "./OneLine.js"
import type { Report } from "./Report.js"

/** The longest name of a column that is shown. */
const maxColumnName = 60

/** As much of a result as a message shows. */
export interface Excerpt {
  readonly columns: ReadonlyArray<{
    readonly name: string
    /** Whether it holds numbers and nothing else, which stand to the right. */
    readonly numeric: boolean
  }>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

/** The beginning of a result. */
export const excerptOf = (
  result: QueryResult,
  most: { readonly rows: number; readonly columns: number }
): Excerpt => {
  const rows = result.rows.slice(0, most.rows).map((row) => row.slice(0, most.columns))
  const numeric = (index: number) =>
    rows.some((row) => typeof row[index] === "number") &&
    rows.every((row) => typeof row[index] === "number" || (row[index] ?? null) === null)
  return {
    columns: result.columns.slice(0, most.columns).map(({ name }, index) => ({
      name: oneLine(name, maxColumnName),
      numeric: numeric(index)
    })),
    rows
  }
}

/** The one value that a `number` widget shows, and the name of its column. */
export interface Figure {
  readonly value: Cell
  readonly column: string
  /** Whether the result is that one value. */
  readonly alone: boolean
}

/**
 * The value that a `number` widget shows: of the first row, the column that `value_column` names, or without such a column
 * the first one (shapes 7.3). None for other widgets and for results without rows.
 */
export const figureOf = ({ viz_config, viz_type }: Report, { columns, rows }: QueryResult): Figure | undefined => {
  if (viz_type !== "number" || rows[0] === undefined || columns.length === 0) return undefined
  const index = Math.max(columns.findIndex(({ name }) => name === viz_config.value_column), 0)
  return {
    value: rows[0][index] ?? null,
    column: oneLine(columns[index]?.name ?? "", maxColumnName),
    alone: rows.length === 1 && columns.length === 1
  }
}
