import { escapeFormula } from "@trunkline/kernel"
import type { Cells } from "./Csv.js"
import { type CsvFormat, type CsvSeparator, plainFormat, separators } from "./CsvFormat.js"
import { countOwnColumns, reasonColumn, withReasons } from "./RejectedRows.js"

/** Characters for which a cell is quoted; in a header these are all separators, so that one of them is found there. */
const needsQuotes = { comma: /[",|\r\n]/, semicolon: /[";|\r\n]/, tab: /["\t|\r\n]/, header: /[",;\t|\r\n]/ }

const surroundingSpace = /^\s|\s$/

const quote = (cell: string): string => `"${cell.replaceAll("\"", "\"\"")}"`

const lineOf = (cells: Cells, separator: CsvSeparator, special: RegExp): string => {
  const quotesAll = (cells.length === 1 && cells[0] === "") || cells.some((cell) => surroundingSpace.test(cell))
  const format = (cell: string): string => {
    const text = cell.includes("\0") ? cell.replaceAll("\0", "") : cell
    return quotesAll || special.test(text) ? quote(text) : text
  }
  return `${cells.map(format).join(separators[separator])}\n`
}

/**
 * Formats the header of a CSV file like `csvLine`, so that a reader finds the separator in it.
 *
 * @example
 * ```ts
 * csvHeader(["name", "due;in days"]) // name,"due;in days"\n
 * ```
 */
export const csvHeader = (cells: Cells, separator: CsvSeparator = "comma"): string =>
  lineOf(cells, separator, needsQuotes.header)

/**
 * Formats one line of CSV (RFC 4180, ending in a line feed) exactly as fast-csv does. Where its line would not read back,
 * since a cell begins or ends with a space or the row is one empty cell, every cell is quoted. NUL characters are dropped.
 *
 * @example
 * ```ts
 * csvLine(["Asha", "9,5"]) // Asha,"9,5"\n
 * ```
 */
export const csvLine = (cells: Cells): string => lineOf(cells, "comma", needsQuotes.comma)

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
 * joined by `;` in a last column. E.164 numbers in the phone column keep their `+`. The format is that of the uploaded file,
 * in UTF-8.
 *
 * The file can be uploaded in turn, and its reasons are then replaced. A row with the wrong number of cells keeps them, and
 * has its reasons beyond their column. So it is rejected again until it is corrected, whether or not a spreadsheet has saved
 * the file.
 */
export const rejectedCsv = (
  header: Cells,
  phoneColumn: number,
  { hasByteOrderMark, separator }: CsvFormat = plainFormat
): RejectedCsv => {
  const ownColumns = countOwnColumns(header)
  const safe = (cells: Cells) =>
    cells.map((cell, index) => index === phoneColumn && e164.test(cell) ? cell : escapeFormula(cell))
  return {
    header: `${hasByteOrderMark ? "\ufeff" : ""}${
      csvHeader(safe([...header.slice(0, ownColumns), reasonColumn]), separator)
    }`,
    row: (cells, reasons) => lineOf(safe(withReasons(header, cells, reasons)), separator, needsQuotes[separator])
  }
}
