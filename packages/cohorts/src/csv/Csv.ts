import { Schema } from "effect"

/** One record of a CSV file: the text of its cells, as it stood between commas and quotes. */
export type Cells = ReadonlyArray<string>

/** What a row of a CSV file may hold at most. */
export interface CsvLimits {
  /** Characters of text in a cell. */
  readonly field: number
  /** Characters of a row as it stands in the file, without its line end. */
  readonly row: number
  /** Cells in a row. */
  readonly columns: number
}

/** The limits of every reader here (reliability 5.4): the longest row is also what bounds its memory. */
export const csvLimits = { field: 65_536, row: 1_048_576, columns: 512 } as const

const saveAsCsv = "save it as CSV UTF-8"

const reasons = {
  not_utf8: `is not UTF-8 text: ${saveAsCsv}`,
  not_utf16: `begins as UTF-16 text and does not go on as such: ${saveAsCsv}`,
  utf32: `is UTF-32 text: ${saveAsCsv}`,
  binary: `holds NUL characters, so it is not text: ${saveAsCsv}`,
  xlsx: "looks like a spreadsheet (xlsx) or another zip file: save it as CSV",
  xls: "looks like an old spreadsheet (xls): save it as CSV",
  gzip: "is compressed (gzip): unpack it first",
  pdf: "looks like a PDF: export its table as CSV",
  malformed: "has a quoted cell that is not closed, or text after a closing quote",
  field_too_long: `has a cell of more than ${csvLimits.field} characters`,
  row_too_long: `has a row of more than ${csvLimits.row} characters`,
  too_many_columns: `has a row of more than ${csvLimits.columns} columns`
}

const CsvBreakage = Schema.Literal(
  "not_utf8",
  "not_utf16",
  "utf32",
  "binary",
  "xlsx",
  "xls",
  "gzip",
  "pdf",
  "malformed",
  "field_too_long",
  "row_too_long",
  "too_many_columns"
)

/** Why a file cannot be read on. */
export type CsvBreakage = typeof CsvBreakage.Type

/** The bytes are not a CSV file that can be read on. */
export class CsvBroken extends Schema.TaggedError<CsvBroken>()("CsvBroken", {
  reason: CsvBreakage,
  /** How many records, the header included, were read before it broke. */
  recordsRead: Schema.NonNegativeInt
}) {
  override get message() {
    return `The file ${reasons[this.reason]}${this.recordsRead > 0 ? `, after record ${this.recordsRead}` : ""}`
  }
}
