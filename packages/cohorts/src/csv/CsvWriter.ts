import { escapeFormula } from "@trunkline/kernel"
import type { Cells } from "./Csv.js"

const needsQuotes = /[",|\r\n]/

const surroundingSpace = /^\s|\s$/

const quote = (cell: string): string => `"${cell.replaceAll("\"", "\"\"")}"`

/**
 * Formats one line of CSV (RFC 4180, ending in a line feed) exactly as fast-csv does. Where its line would not read back,
 * since a cell begins or ends with a space or the row is one empty cell, every cell is quoted. NUL characters are dropped.
 *
 * @example
 * ```ts
 * csvLine(["Asha", "9,5"]) // Asha,"9,5"\n
 * ```
 */
export const csvLine = (cells: Cells): string => {
  const quotesAll = (cells.length === 1 && cells[0] === "") || cells.some((cell) => surroundingSpace.test(cell))
  const format = (cell: string): string => {
    const text = cell.includes("\0") ? cell.replaceAll("\0", "") : cell
    return quotesAll || needsQuotes.test(text) ? quote(text) : text
  }
  return `${cells.map(format).join(",")}\n`
}

/** Matches a number in E.164, which a spreadsheet reads as a number and keeps intact. */
const e164 = /^ *\+[1-9]\d{6,14}$/

/** Writer of a file of rejected rows. */
export interface RejectedCsv {
  /** The line of the original header with `rejected_reason` added. */
  readonly header: string
  /** The line of an original row with its reasons added. */
  readonly row: (cells: Cells, reasons: ReadonlyArray<string>) => string
}

/**
 * Writes the file of rejected rows: the original cells in their columns, safe to open in a spreadsheet, with the reasons
 * joined by `;` in a last column. E.164 numbers in the phone column keep their `+`. A row with too few cells is padded; the
 * surplus cells of a row are joined in its last column.
 */
export const rejectedCsv = (header: Cells, phoneColumn: number): RejectedCsv => {
  const line = (cells: Cells, last: string) =>
    csvLine([
      ...cells.map((cell, index) => index === phoneColumn && e164.test(cell) ? cell : escapeFormula(cell)),
      escapeFormula(last)
    ])
  const fitToHeader = (cells: Cells): Cells =>
    cells.length > header.length
      ? [...cells.slice(0, header.length - 1), cells.slice(header.length - 1).join(",")]
      : [...cells, ...Array<string>(header.length - cells.length).fill("")]
  return {
    header: line(header, "rejected_reason"),
    row: (cells, reasons) => line(fitToHeader(cells), reasons.join(";"))
  }
}
