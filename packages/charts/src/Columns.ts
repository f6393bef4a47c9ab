import { Either } from "effect"
import { type NoPicture, unsuitable } from "./NoPicture.js"
import type { Table, Value } from "./Picture.js"
import { plainText, shorten } from "./PlainText.js"

/** A column of a table, by its place. */
export interface Column {
  readonly index: number
  readonly name: string
}

const shown = 20

const nameOf = (name: string): string => shorten(plainText(name), 60)

/** The names of the columns that there are, for a message. */
const existing = ({ columns }: Table): string => {
  const names = columns.slice(0, shown).map(({ name }) => `"${nameOf(name)}"`).join(", ")
  const more = columns.length > shown ? ` and ${columns.length - shown} more` : ""
  return columns.length === 0 ? "The result has no columns" : `The result has ${names}${more}`
}

/** The column of this name: the first that is called exactly so, or else so but for upper and lower case. */
export const findColumn = (table: Table, name: string): Either.Either<Column, NoPicture> => {
  const exact = table.columns.findIndex((column) => column.name === name)
  const lower = name.toLowerCase()
  const index = exact >= 0 ? exact : table.columns.findIndex((column) => column.name.toLowerCase() === lower)
  const found = table.columns[index]
  return found === undefined
    ? Either.left(unsuitable(`There is no column "${nameOf(name)}". ${existing(table)}`))
    : Either.right({ index, name: plainText(found.name) || `Column ${index + 1}` })
}

/** A setting of a chart is missing; the message names it and the columns that it may name. */
export const missingSetting = (table: Table, setting: string): NoPicture =>
  unsuitable(`viz_config has no ${setting}. ${existing(table)}`)

/** The values of a column, from the first row to the last. */
export const valuesOf = (table: Table, column: Column): ReadonlyArray<Value> =>
  table.rows.map((row) => row[column.index] ?? null)
