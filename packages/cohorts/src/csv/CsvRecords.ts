import { Channel, Chunk, Stream } from "effect"
import { type Cells, type CsvBreakage, CsvBroken, type CsvLimits, csvLimits } from "./Csv.js"
import { openCsvText } from "./CsvText.js"

/** What a parser found in a text that begins where a record does. */
export interface Parsed {
  /** The records that are complete; those of blank lines have no cells, or are not there at all. */
  readonly records: ReadonlyArray<Cells>
  /** Where the text of an unfinished record begins. */
  readonly end: number
  readonly malformed: boolean
}

/** Reads the records of a text; `more` when text may follow, so that the end of the text is not the end of a record. */
export type Parse = (text: string, more: boolean) => Parsed

/** Bytes read at a time, without pause. Records of larger blocks outlive V8's first collections, which halves the speed. */
const blockBytes = 16_384

function* blocks(parts: Chunk.Chunk<Uint8Array>) {
  for (const bytes of parts) {
    for (let from = 0; from < bytes.length; from += blockBytes) yield bytes.subarray(from, from + blockBytes)
  }
}

/** What of a file is known to be complete, and what it broke on after that. */
interface Read {
  readonly records: Array<Cells>
  readonly broken?: CsvBreakage | undefined
}

const breaksLimit = (cells: Cells, limits: CsvLimits): CsvBreakage | undefined => {
  if (cells.length > limits.columns) return "too_many_columns"
  for (const cell of cells) if (cell.length > limits.field) return "field_too_long"
  return undefined
}

const carriageReturn = 0x0d

const openRecords = (parse: Parse, limits: CsvLimits) => {
  let unfinished = ""
  let fresh = ""

  const read = (text: string, more: boolean, into: Array<Cells>): CsvBreakage | undefined => {
    const { end, malformed, records } = parse(text, more)
    for (const cells of records) {
      if (cells.length === 0) continue
      const broken = breaksLimit(cells, limits)
      if (broken !== undefined) return broken
      into.push(cells)
    }
    unfinished = text.slice(end)
    return malformed ? "malformed" : undefined
  }

  /** Reads a text in which a row may be too long: as much at a time as a row that is not too long ends within. */
  const readLong = (into: Array<Cells>): CsvBreakage | undefined => {
    while (unfinished.length > limits.row + (unfinished.endsWith("\r") ? 1 : 0)) {
      const text = unfinished
      const end = limits.row + (text.charCodeAt(limits.row) === carriageReturn ? 2 : 1)
      const broken = read(text.slice(0, end), true, into)
      if (broken !== undefined) return broken
      if (unfinished.length === end) return "row_too_long"
      unfinished += text.slice(end)
    }
    return undefined
  }

  return (text: string, more: boolean, hurry: boolean): Read => {
    fresh += text
    // An unfinished record is looked at again once as much has come as was there, so that its length costs no square.
    if (!hurry && fresh.length < unfinished.length) return { records: [] }
    const records: Array<Cells> = []
    unfinished += fresh
    fresh = ""
    const broken = readLong(records) ?? read(unfinished, more, records)
    return { records, broken }
  }
}

/**
 * Makes a reader of CSV out of a parser: it sees to encodings, limits, and failures after the records before them. One
 * channel does it all, because every stage that a stream of many records passes through costs V8 as much as the parsing.
 */
export const csvReader =
  (parse: Parse, limits: CsvLimits = csvLimits) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Cells, E | CsvBroken, R> => {
    type Records = Channel.Channel<Chunk.Chunk<Cells>, Chunk.Chunk<Uint8Array>, E | CsvBroken, E, unknown, unknown>
    return Stream.suspend(() => {
      const decoder = openCsvText()
      const take = openRecords(parse, limits)
      let recordsRead = 0

      const read = (block: Uint8Array, last: boolean, next: () => Records) => {
        const { refused, text } = decoder.decode(block, last)
        const cut = refused !== undefined
        const { broken = refused, records } = take(text, cut || !last, cut || last)
        recordsRead += records.length
        const complete = Channel.write(Chunk.unsafeFromArray(records))
        return Channel.flatMap(
          complete,
          () => broken === undefined ? next() : Channel.fail(new CsvBroken({ reason: broken, recordsRead }))
        )
      }

      const readAll = (rest: Iterator<Uint8Array>): Records => {
        const { done, value } = rest.next()
        return done === true ? reading : read(value, false, () => readAll(rest))
      }

      const reading: Records = Channel.readWithCause({
        onInput: (parts: Chunk.Chunk<Uint8Array>) => readAll(blocks(parts)),
        onFailure: Channel.failCause,
        onDone: () => read(new Uint8Array(0), true, () => Channel.void)
      })

      return Stream.pipeThroughChannel(bytes, reading)
    })
  }
