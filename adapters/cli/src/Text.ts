import { DateTime } from "effect"

/** Text with nothing in it that a terminal would act on. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "?")

/** Lines of text for a terminal. */
export const told = (text: string): string => `${text.split("\n").map(printable).join("\n")}\n`

/** A column of a table: numbers stand at its right. */
export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string | number
}

/** Rows under titles, in columns as wide as they need to be; `empty` where there are none. */
export const table = <Row>(rows: ReadonlyArray<Row>, columns: ReadonlyArray<Column<Row>>, empty: string): string => {
  if (rows.length === 0) return empty
  const cells = columns.map(({ of, title }) => {
    const values = rows.map(of)
    const texts = [title, ...values.map((value) => printable(String(value)))]
    const width = Math.max(...texts.map((text) => text.length))
    const isNumeric = values.every((value) => typeof value === "number")
    return texts.map((text) => isNumeric ? text.padStart(width) : text.padEnd(width))
  })
  return Array.from({ length: rows.length + 1 }, (_, line) => cells.map((column) => column[line]).join("  ").trimEnd())
    .join("\n")
}

/** A list in one cell; `-` for none. */
export const listed = (items: ReadonlyArray<string>): string => items.length === 0 ? "-" : items.join(",")

/** A moment, to the second. */
export const momentText = (at: DateTime.DateTime.Input): string =>
  DateTime.formatIso(DateTime.unsafeMake(at)).replace(/\.\d+Z$/, "Z")
