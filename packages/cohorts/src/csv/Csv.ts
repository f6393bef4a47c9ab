import { Schema } from "effect"

/** One record of a CSV file: the texts of its cells, without separators and enclosing quotes. */
export type Cells = ReadonlyArray<string>

/** Limits for the rows of a CSV file. */
export interface CsvLimits {
  /** Most characters in a cell. */
  readonly field: number
  /** Most characters in a row of the file, without its line end. */
  readonly row: number
  /** Most cells in a row. */
  readonly columns: number
}

/** The limits of `csvRows`: 65,536 characters in a cell, 1,048,576 in a row, 512 columns. The row limit also bounds its memory. */
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
  too_many_columns: `has a row of more than ${csvLimits.columns} columns`,
  separator: "names in its first line a separator that is no comma, semicolon or tab: save it with one of these"
}

const CsvErrorReason = Schema.Literal(
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
  "too_many_columns",
  "separator"
)

/** Reason for which a file cannot be read as CSV. */
export type CsvErrorReason = typeof CsvErrorReason.Type

/** A file cannot be read as CSV. The message never quotes the file. */
export class CsvError extends Schema.TaggedError<CsvError>()("CsvError", {
  reason: CsvErrorReason,
  /** Number of records read before the error, including the header. */
  recordsRead: Schema.NonNegativeInt
}) {
  override get message() {
    return `The file ${reasons[this.reason]}${this.recordsRead > 0 ? `, after record ${this.recordsRead}` : ""}`
  }
}
