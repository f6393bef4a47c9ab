import { concatBytes, escapeFormula, macroTask } from "@trunkline/kernel"
import type { Cell, QueryResult } from "@trunkline/warehouse"
import { Effect } from "effect"
import { format } from "fast-csv"

/** The largest file that is attached, in bytes (design: boards 6). */
export const MAX_CSV_BYTES = 5_000_000

/** Rows that are written without a pause: some milliseconds' worth. */
const atOnce = 500

/** By this mark Excel knows UTF-8, without which it shows Indian scripts as rubbish. */
const mark = "\ufeff"

interface FastCsvFormatter {
  readonly format: (
    cells: ReadonlyArray<string>,
    done: (error: unknown, lines?: ReadonlyArray<string>) => void
  ) => void
}

/** The formatter within fast-csv's stream, which answers at once; without headers it keeps nothing of what it wrote. */
const formatter = (quoteColumns: boolean): FastCsvFormatter =>
  format({ headers: [], writeHeaders: false, rowDelimiter: "", quoteColumns })["rowFormatter"]

const [plain, quoting] = [formatter(false), formatter(true)]

/** One line with its end (RFC 4180). A single empty cell is quoted: readers pass over lines without anything. */
const line = (cells: ReadonlyArray<string>): string => {
  let text = ""
  ;(cells.length === 1 && cells[0] === "" ? quoting : plain).format(cells, (_, lines = []) => {
    text = lines.join("")
  })
  return `${text}\r\n`
}

/** A number as text, with its sign: a spreadsheet takes it for the number that it is. */
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i

const safeText = (text: string): string => number.test(text) ? text : escapeFormula(text)

const cellOf = (value: Cell): string =>
  value === null ? "" : typeof value === "string" ? safeText(value) : String(value)

/** A result as a CSV file. */
export interface ReportCsv {
  readonly bytes: Uint8Array
  /** How many of the result's rows are in it. */
  readonly rows: number
}

/**
 * A result as a CSV file: UTF-8 with a mark, lines that end in CR LF, a header (RFC 4180); no value is an empty cell. An
 * apostrophe stands before what a spreadsheet would take for a formula. Ends before the row with which it would have more
 * than `maxBytes`. Pauses now and then, so that others get their turn.
 */
export const reportCsv = (
  { columns, rows }: QueryResult,
  maxBytes: number = MAX_CSV_BYTES
): Effect.Effect<ReportCsv> =>
  Effect.gen(function*() {
    const encoder = new TextEncoder()
    const header = encoder.encode(mark + line(columns.map(({ name }) => safeText(name))))
    const parts = [header]
    let [written, bytes] = [0, header.length]
    for (const row of rows) {
      if (written > 0 && written % atOnce === 0) yield* macroTask
      const part = encoder.encode(line(row.map(cellOf)))
      if (bytes + part.length > maxBytes) break
      parts.push(part)
      bytes += part.length
      written += 1
    }
    return { bytes: concatBytes(parts), rows: written }
  })
