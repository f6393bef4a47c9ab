import { Context, type Stream } from "effect"
import type { Cells, CsvBroken } from "./Csv.js"
import { csvReader } from "./CsvRecords.js"
import { scan } from "./CsvScanner.js"
import { parseWithFastCsv } from "./FastCsv.js"

export { type Cells, type CsvBreakage, CsvBroken, type CsvLimits, csvLimits } from "./Csv.js"

/**
 * Reads CSV files; by default with `csvRows`. `fastCsvRows` reads the same, and `csvReaderLaws` is for readers of your own.
 */
export class CsvReader extends Context.Reference<CsvReader>()("@trunkline/cohorts/CsvReader", {
  defaultValue: (): CsvReader.Service => ({ rows: csvRows })
}) {}

export declare namespace CsvReader {
  /** What a reader of CSV files does. */
  export interface Service {
    /** The records of a file, header first; those before a fault come before its failure. */
    readonly rows: <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Cells, E | CsvBroken, R>
  }
}

/**
 * The records of a CSV file, header first: RFC 4180 with a comma, UTF-8 or UTF-16, lines ending in CRLF, LF or CR.
 * Blank lines are left out; cells are not trimmed, but spaces around quotes, and a first cell of spaces only, are dropped.
 * Reads as fast as its reader takes, in blocks of 16 kB. A cell may keep the text of its block in memory for as long as it
 * is kept itself; whoever keeps few cells for long should keep copies.
 */
export const csvRows: CsvReader.Service["rows"] = csvReader(scan)

/** `csvRows` with fast-csv as its parser: the reference that it is compared with. Ten times slower. */
export const fastCsvRows: CsvReader.Service["rows"] = csvReader(parseWithFastCsv)
