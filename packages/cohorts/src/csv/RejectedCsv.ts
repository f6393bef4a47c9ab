import type { Cells } from "./CsvReader.js"

const quote = (cell: string): string => `"${cell.replaceAll("\"", "\"\"")}"`

/** One line of CSV (RFC 4180, ending in a line feed); cells are quoted where reading them back needs it. */
export const csvLine = (cells: Cells): string =>
  cells.length === 1 && cells[0] === ""
    ? "\"\"\n"
    : `${cells.map((cell) => /[",\r\n]|^\s|\s$/.test(cell) ? quote(cell) : cell).join(",")}\n`

const formulaStart = /^(?=[ \u00a0]*[\r\n])|(?<=^|\r(?!\n)|\n)(?=[ \u00a0]*[=+\-@\t])/g

/**
 * A cell that no spreadsheet takes for a formula: an apostrophe stands before a cell, and before each line in it, that
 * starts with `=`, `+`, `-`, `@`, a tab or a line end (OWASP, CSV injection).
 */
export const withoutFormula = (cell: string): string => cell.replace(formulaStart, "'")

const phoneLike = /^\+\d[\d ().-]*$/

/** The lines of one file of rejected rows. */
export interface RejectedCsv {
  /** The header as it was, and `rejected_reason`. */
  readonly header: string
  /** One rejected row as it was, and its reasons. */
  readonly row: (cells: Cells, reasons: ReadonlyArray<string>) => string
}

/**
 * Writes the file of rejected rows (shapes 4.4): the original cells in the original columns, safe to open in a
 * spreadsheet, with reasons joined by `;` in a last column. Numbers in the phone column keep their `+`. A row with too
 * few cells is filled up; the cells that a row has too many stand together in the last column, as they stood in the file.
 */
export const rejectedCsv = (header: Cells, phoneColumn: number): RejectedCsv => {
  const line = (cells: Cells, last: string) =>
    csvLine([
      ...cells.map((cell, index) => index === phoneColumn && phoneLike.test(cell.trim()) ? cell : withoutFormula(cell)),
      withoutFormula(last)
    ])
  const fitted = (cells: Cells): Cells =>
    cells.length > header.length
      ? [...cells.slice(0, header.length - 1), cells.slice(header.length - 1).join(",")]
      : [...cells, ...Array<string>(header.length - cells.length).fill("")]
  return {
    header: line(header, "rejected_reason"),
    row: (cells, reasons) => line(fitted(cells), reasons.join(";"))
  }
}
