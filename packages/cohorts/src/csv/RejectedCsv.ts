import { escapeFormula } from "@trunkline/kernel"
import type { Cells } from "./Csv.js"
import { csvLine } from "./FastCsv.js"

/** A number in E.164: to a spreadsheet it is a number as it stands, and keeps its digits. */
const phoneNumber = /^ *\+[1-9]\d{6,14}$/

/** The lines of one file of rejected rows. */
export interface RejectedCsv {
  /** The header as it was, and `rejected_reason`. */
  readonly header: string
  /** One rejected row as it was, and its reasons. */
  readonly row: (cells: Cells, reasons: ReadonlyArray<string>) => string
}

/**
 * Writes the file of rejected rows (shapes 4.4): the original cells in the original columns, safe to open in a
 * spreadsheet, with reasons joined by `;` in a last column. Numbers in E.164 in the phone column keep their `+`. A row with too
 * few cells is filled up; the cells that a row has too many stand together in the last column, as they stood in the file.
 */
export const rejectedCsv = (header: Cells, phoneColumn: number): RejectedCsv => {
  const line = (cells: Cells, last: string) =>
    csvLine([
      ...cells.map((cell, index) => index === phoneColumn && phoneNumber.test(cell) ? cell : escapeFormula(cell)),
      escapeFormula(last)
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
