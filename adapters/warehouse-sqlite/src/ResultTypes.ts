import type { RunColumn } from "@trunkline/sqlite-runners"
import { type ResultColumn, typeOfOrigin } from "@trunkline/warehouse"

/**
 * The columns of a result as the port tells of them: typed where SQLite says that one is a column of the facts, under
 * whatever name. A UNION is not: SQLite tells of its first part alone.
 */
export const resultColumns = (text: string, columns: ReadonlyArray<RunColumn>): ReadonlyArray<ResultColumn> => {
  const mixes = /\bunion\b/i.test(text)
  return columns.map(({ name, origin }) => {
    const type = origin === null || mixes ? undefined : typeOfOrigin(origin.table, origin.column)
    return type === undefined ? { name } : { name, type }
  })
}
