import { concatBytes, escapeFormula, macroTask } from "@trunkline/kernel"
import type { Cell, QueryResult } from "@trunkline/warehouse"
import { Effect } from "effect"
import { format } from "fast-csv"

/** Largest attached file, in bytes. */
const maxCsvBytes = 5_000_000

/** Rows encoded without yielding; takes a few milliseconds. */
const rowsPerTurn = 500

/** Makes Excel recognize UTF-8; otherwise it garbles Indian scripts. */
const byteOrderMark = "\ufeff"

interface FastCsvFormatter {
  readonly format: (
    cells: ReadonlyArray<string>,
    callback: (error: unknown, lines?: ReadonlyArray<string>) => void
  ) => void
}

/** The formatter inside fast-csv's stream, which is synchronous; without headers it keeps no state. */
const formatter = (quoteColumns: boolean): FastCsvFormatter =>
  format({ headers: [], writeHeaders: false, rowDelimiter: "", quoteColumns })["rowFormatter"]

const [plain, quoting] = [formatter(false), formatter(true)]

/** One line with its line break (RFC 4180). A single empty cell is quoted because readers skip empty lines. */
const encodeLine = (cells: ReadonlyArray<string>): string => {
  let text = ""
  ;(cells.length === 1 && cells[0] === "" ? quoting : plain).format(cells, (_, lines = []) => {
    text = lines.join("")
  })
  return `${text}\r\n`
}

/** A number as text with an optional sign, which spreadsheets read as a number. */
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i

const escapeText = (text: string): string => number.test(text) ? text : escapeFormula(text)

const cellOf = (value: Cell): string =>
  value === null ? "" : typeof value === "string" ? escapeText(value) : String(value)

/** A result as a CSV file. */
export interface ReportCsv {
  readonly bytes: Uint8Array
  /** Number of the result's rows in the file. */
  readonly rows: number
}

/**
 * Renders a result as CSV: UTF-8 with byte order mark, CR LF line breaks, a header row (RFC 4180); null is an empty
 * cell. Text that a spreadsheet would read as a formula is prefixed with an apostrophe. Stops before the row that would
 * exceed `maxBytes`. Yields to the event loop between chunks of rows.
 */
export const renderCsv = (
  { columns, rows }: QueryResult,
  maxBytes: number = maxCsvBytes
): Effect.Effect<ReportCsv> =>
  Effect.gen(function*() {
    const encoder = new TextEncoder()
    const header = encoder.encode(byteOrderMark + encodeLine(columns.map(({ name }) => escapeFormula(name))))
    const parts = [header]
    let [written, bytes] = [0, header.length]
    for (const row of rows) {
      if (written > 0 && written % rowsPerTurn === 0) yield* macroTask
      const part = encoder.encode(encodeLine(row.map(cellOf)))
      if (bytes + part.length > maxBytes) break
      parts.push(part)
      bytes += part.length
      written += 1
    }
    return { bytes: concatBytes(parts), rows: written }
  })
