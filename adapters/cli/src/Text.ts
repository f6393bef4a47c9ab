import type { DateTime } from "effect"

/** Replaces control characters, which a terminal would interpret. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "?")

/** Formats lines for a terminal. */
export const terminalLines = (text: string): string => `${text.split("\n").map(printable).join("\n")}\n`

/** A table column; numbers are right-aligned. */
export interface TextColumn<Row> {
  readonly title: string
  readonly of: (row: Row) => string | number
}

/** Formats a table with a title row; returns `empty` when there are no rows. */
export const table = <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<TextColumn<Row>>,
  empty: string
): string => {
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

/** Formats a list in one cell; `-` when empty. */
export const formatList = (items: ReadonlyArray<string>): string => items.length === 0 ? "-" : items.join(",")

/** Formats a time to the second. */
export const formatTime = (at: DateTime.Utc | number): string =>
  new Date(typeof at === "number" ? at : at.epochMillis).toISOString().replace(/\.\d+Z$/, "Z")
