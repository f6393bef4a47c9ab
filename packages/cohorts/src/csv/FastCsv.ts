import { CsvParserStream, format, ParserOptions } from "fast-csv"
import type { Cells } from "./Csv.js"
import type { Parse } from "./CsvRecords.js"
import { ofLongestBeginning } from "./LongestBeginning.js"

interface FastCsvParser {
  readonly parse: (text: string, more: boolean) => { readonly rows: ReadonlyArray<Cells>; readonly line: string }
}

/**
 * The parser within fast-csv's stream. The stream itself loses the rows that it parsed before a fault, tells not where it
 * stopped, and takes a mark (U+FEFF) off every block.
 */
const parser: FastCsvParser = new CsvParserStream(new ParserOptions())["parser"]

/** The parser takes one mark off whatever it is given: this one. */
const mark = "\ufeff"

const parse = (text: string, more: boolean) => {
  const { line, rows } = parser.parse(mark + text, more)
  return { records: rows, end: text.length - line.length }
}

/** Reads the records of a text with fast-csv; of a malformed text, those of its longest beginning that it reads. */
export const parseWithFastCsv: Parse = (text, more) => {
  try {
    return { ...parse(text, more), malformed: false }
  } catch {
    return { ...ofLongestBeginning(text.length, (length) => parse(text.slice(0, length), true)), malformed: true }
  }
}

interface FastCsvFormatter {
  readonly format: (cells: Cells, done: (error: unknown, lines?: ReadonlyArray<string>) => void) => void
}

/** The formatter within fast-csv's stream, which answers at once; without headers it keeps nothing of what it wrote. */
const formatter = (quoteColumns: boolean): FastCsvFormatter =>
  format({ headers: [], writeHeaders: false, rowDelimiter: "", quoteColumns })["rowFormatter"]

const [plain, quoting] = [formatter(false), formatter(true)]

const spaceAtAnEnd = /^\s|\s$/

/**
 * One line of CSV (RFC 4180, ending in a line feed), as fast-csv writes it. Where a cell begins or ends in a space, or the
 * row is one empty cell, which fast-csv would write so that it does not read back, every cell is quoted.
 */
export const csvLine = (cells: Cells): string => {
  const onlyEmpty = cells.length === 1 && cells[0] === ""
  let line = ""
  ;(onlyEmpty || cells.some((cell) => spaceAtAnEnd.test(cell)) ? quoting : plain).format(cells, (_, lines = []) => {
    line = lines.join("")
  })
  return `${line}\n`
}
