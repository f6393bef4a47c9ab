import { Either } from "effect"
import { type NoPicture, type Table, unsuitableError, type Value } from "./Chart.js"
import { plainText, shorten } from "./Format.js"

/** A column of a table, by its index. */
export interface Column {
  readonly index: number
  readonly name: string
}

const maxListedColumns = 20

const nameOf = (name: string): string => shorten(plainText(name), 60)

/** Lists the existing columns for an error message. */
const describeColumns = ({ columns }: Table): string => {
  const names = columns.slice(0, maxListedColumns).map(({ name }) => `"${nameOf(name)}"`).join(", ")
  const more = columns.length > maxListedColumns ? ` and ${columns.length - maxListedColumns} more` : ""
  return columns.length === 0 ? "The result has no columns" : `The result has ${names}${more}`
}

/** Finds a column by exact name, or else case-insensitively. */
export const findColumn = (table: Table, name: string): Either.Either<Column, NoPicture> => {
  const exact = table.columns.findIndex((column) => column.name === name)
  const lower = name.toLowerCase()
  const index = exact >= 0 ? exact : table.columns.findIndex((column) => column.name.toLowerCase() === lower)
  const found = table.columns[index]
  return found === undefined
    ? Either.left(unsuitableError(`There is no column "${nameOf(name)}". ${describeColumns(table)}`))
    : Either.right({ index, name: plainText(found.name) || `Column ${index + 1}` })
}

/** Error for a missing setting; the message lists the columns that it may name. */
export const missingSetting = (table: Table, setting: string): NoPicture =>
  unsuitableError(`viz_config has no ${setting}. ${describeColumns(table)}`)

/** Values of a column, in row order. */
export const valuesOf = (table: Table, column: Column): ReadonlyArray<Value> =>
  table.rows.map((row) => row[column.index] ?? null)
