import { Channel, Chunk, Context, Stream } from "effect"
import { type Cells, CsvError, type CsvErrorReason, type CsvLimits, csvLimits } from "./Csv.js"
import { type CsvFormat, type CsvSeparator, findFileStart } from "./CsvFormat.js"
import { makeCsvScanner, type Parse } from "./CsvScanner.js"
import { makeCsvDecoder } from "./CsvText.js"

/** Bytes parsed at a time. Records of larger blocks survive V8's first collections, which halves the speed. */
const blockBytes = 16_384

function* splitBlocks(chunks: Chunk.Chunk<Uint8Array>) {
  for (const bytes of chunks) {
    for (let from = 0; from < bytes.length; from += blockBytes) yield bytes.subarray(from, from + blockBytes)
  }
}

/** The records that a text completed, and the error after them, if any. */
interface ReadResult {
  readonly records: Array<Cells>
  readonly error?: CsvErrorReason | undefined
}

const exceededLimit = (cells: Cells, limits: CsvLimits): CsvErrorReason | undefined => {
  if (cells.length > limits.columns) return "too_many_columns"
  for (const cell of cells) if (cell.length > limits.field) return "field_too_long"
  return undefined
}

const carriageReturn = 0x0d

/** Makes the parser of a separator. */
type MakeParse = (separator: CsvSeparator) => Parse

const makeRecordReader = (
  makeParse: MakeParse,
  limits: CsvLimits,
  onSeparator: (separator: CsvSeparator) => void
) => {
  let parse: Parse | undefined
  let rest = ""
  let fresh = ""

  /** Finds the separator, unless that takes more text. */
  const start = (more: boolean): Parse | CsvErrorReason | undefined => {
    const length = limits.row + 2
    const fileStart = findFileStart(rest.slice(0, length), more && rest.length < length)
    if (fileStart === undefined || typeof fileStart === "string") return fileStart
    rest = rest.slice(fileStart.at)
    onSeparator(fileStart.separator)
    return makeParse(fileStart.separator)
  }

  const read = (parse: Parse, text: string, more: boolean, into: Array<Cells>): CsvErrorReason | undefined => {
    const { end, isMalformed, records } = parse(text, more)
    for (const cells of records) {
      if (cells.length === 0) continue
      const error = exceededLimit(cells, limits)
      if (error !== undefined) return error
      into.push(cells)
    }
    rest = text.slice(end)
    return isMalformed ? "malformed" : undefined
  }

  /** Reads a text that may hold too long a row, in slices within which any row of allowed length ends. */
  const readLong = (parse: Parse, into: Array<Cells>): CsvErrorReason | undefined => {
    while (rest.length > limits.row + (rest.endsWith("\r") ? 1 : 0)) {
      const text = rest
      const end = limits.row + (text.charCodeAt(limits.row) === carriageReturn ? 2 : 1)
      const error = read(parse, text.slice(0, end), true, into)
      if (error !== undefined) return error
      if (rest.length === end) return "row_too_long"
      rest += text.slice(end)
    }
    return undefined
  }

  return (text: string, more: boolean, flush: boolean): ReadResult => {
    fresh += text
    // An unfinished record is parsed again only when its length has doubled, so that a long one takes linear time.
    if (!flush && fresh.length < rest.length) return { records: [] }
    const records: Array<Cells> = []
    rest += fresh
    fresh = ""
    if (parse === undefined) {
      const outcome = start(more && !flush)
      if (typeof outcome !== "function") return { records, error: outcome }
      parse = outcome
    }
    const error = readLong(parse, records) ?? read(parse, rest, more, records)
    return { records, error }
  }
}

/**
 * Makes a CSV reader from parsers. The reader handles encodings and limits, and fails only after the records before the
 * error. It is one channel, because every stage of a stream of many records takes V8 as long as the parsing does.
 */
export const makeCsvReader = (makeParse: MakeParse, limits: CsvLimits = csvLimits): CsvReader.Service["rows"] =>
<E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  onFormat?: (format: CsvFormat) => void
): Stream.Stream<Cells, E | CsvError, R> => {
  type Records = Channel.Channel<Chunk.Chunk<Cells>, Chunk.Chunk<Uint8Array>, E | CsvError, E, unknown, unknown>
  return Stream.suspend(() => {
    const decoder = makeCsvDecoder()
    const readRecords = makeRecordReader(
      makeParse,
      limits,
      (separator) => onFormat?.({ separator, hasByteOrderMark: decoder.isMarked() })
    )
    let recordsRead = 0

    const readBlock = (block: Uint8Array, last: boolean, next: () => Records) => {
      const { error: decodeError, text } = decoder.decode(block, last)
      const isCut = decodeError !== undefined
      const { error = decodeError, records } = readRecords(text, isCut || !last, isCut || last)
      recordsRead += records.length
      return Channel.flatMap(
        Channel.write(Chunk.unsafeFromArray(records)),
        () => error === undefined ? next() : Channel.fail(new CsvError({ reason: error, recordsRead }))
      )
    }

    const readBlocks = (blocks: Iterator<Uint8Array>): Records => {
      const { done, value } = blocks.next()
      return done === true ? reading : readBlock(value, false, () => readBlocks(blocks))
    }

    const reading: Records = Channel.readWithCause({
      onInput: (chunks: Chunk.Chunk<Uint8Array>) => readBlocks(splitBlocks(chunks)),
      onFailure: Channel.failCause,
      onDone: () => readBlock(new Uint8Array(0), true, () => Channel.void)
    })

    return Stream.pipeThroughChannel(bytes, reading)
  })
}

/**
 * Reads the records of a CSV file, header first: RFC 4180 in UTF-8 or UTF-16, with lines ending in CRLF, LF or CR.
 * The separator is a comma, semicolon or tab: the one that a first line such as `sep=;` names, or that the header has most
 * of outside of quotes. Blank lines are skipped. Cells are not trimmed, except that spaces around quotes, and a first cell of spaces
 * only, are dropped. Fails with `CsvError`, after the records before the error.
 *
 * It reads in blocks of 16 kB, as fast as its consumer takes them. A cell may retain the text of its block, so copy cells
 * that are kept for long.
 *
 * @example
 * ```ts
 * const rows = csvRows(Stream.make(new TextEncoder().encode("name,mobile\nAsha,9876543210\n")))
 * // [["name", "mobile"], ["Asha", "9876543210"]]
 * ```
 */
export const csvRows: CsvReader.Service["rows"] = makeCsvReader(makeCsvScanner)

/** The reader of CSV files; `csvRows` unless provided. `csvReaderLaws` tests other readers. */
export class CsvReader extends Context.Reference<CsvReader>()("@trunkline/cohorts/CsvReader", {
  defaultValue: (): CsvReader.Service => ({ rows: csvRows })
}) {}

export declare namespace CsvReader {
  /** A reader of CSV files. */
  export interface Service {
    /**
     * The records of a file, header first; those before an error come before the failure. `onFormat` is called with the
     * format before the first of them.
     */
    readonly rows: <E, R>(
      bytes: Stream.Stream<Uint8Array, E, R>,
      onFormat?: (format: CsvFormat) => void
    ) => Stream.Stream<Cells, E | CsvError, R>
  }
}
