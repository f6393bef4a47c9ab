import { Chunk, Effect, Schema, type Scope, Stream } from "effect"
import { parse } from "fast-csv"

/** One record of a CSV file: the text of its cells, as it stood between commas and quotes. */
export type Cells = ReadonlyArray<string>

/** The most that a CSV file may hold, in characters of text (reliability 5.4). */
export const csvLimits = { field: 65_536, row: 1_048_576, columns: 512 } as const

/** Bytes handed to the parser at a time: it works on a block without pause. */
const blockBytes = 65_536

const reasons = {
  not_utf8: "is not UTF-8 text",
  malformed: "has a quoted cell that is not closed, or text after a closing quote",
  field_too_long: `has a cell of more than ${csvLimits.field} characters`,
  row_too_long: `has a row of more than ${csvLimits.row} characters`,
  too_many_columns: `has a row of more than ${csvLimits.columns} columns`
}

/** The bytes are not a CSV file that can be read on. */
export class CsvBroken extends Schema.TaggedError<CsvBroken>()("CsvBroken", {
  reason: Schema.Literal("not_utf8", "malformed", "field_too_long", "row_too_long", "too_many_columns"),
  /** How many records, the header included, were read before it broke. */
  recordsRead: Schema.NonNegativeInt
}) {
  override get message() {
    return `The file ${reasons[this.reason]}, after record ${this.recordsRead}`
  }
}

const lineFeed = 0x0a

/** Regroups bytes: the first line by itself, so that nothing after it can keep a header from being read, then equal blocks. */
const blocks = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const block = new Uint8Array(blockBytes)
    let filled = 0
    let inFirstLine = true
    const take = () => {
      const taken = block.slice(0, filled)
      filled = 0
      return taken
    }
    function* add(bytes: Uint8Array) {
      for (let from = 0; from < bytes.length;) {
        const room = bytes.subarray(from, from + blockBytes - filled)
        const end = inFirstLine ? room.indexOf(lineFeed) + 1 : 0
        const part = end > 0 ? room.subarray(0, end) : room
        block.set(part, filled)
        filled += part.length
        from += part.length
        if (end > 0 || filled === blockBytes) yield take()
        inFirstLine &&= end === 0
      }
    }
    return Stream.concat(
      Stream.mapConcat(bytes, add),
      Stream.suspend(() => Stream.succeed(take()))
    )
  })

interface Parser {
  /** The records that these bytes complete. */
  readonly read: (block: Uint8Array) => Effect.Effect<Chunk.Chunk<Cells>, CsvBroken>
  /** The last records, once there are no more bytes. */
  readonly end: Effect.Effect<Chunk.Chunk<Cells>, CsvBroken>
}

const openParser: Effect.Effect<Parser, never, Scope.Scope> = Effect.gen(function*() {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const parser = yield* Effect.acquireRelease(
    Effect.sync(() => parse<Array<string>, Array<string>>()),
    (parser) => Effect.sync(() => parser.destroy())
  )
  let records: Array<Cells> = []
  let recordsRead = 0
  let charactersSinceRecord = 0
  const broken = (reason: CsvBroken["reason"]) => new CsvBroken({ reason, recordsRead })

  parser.on("error", () => undefined)
  parser.on("data", (cells: Cells) => records.push(cells))

  const decode = (block?: Uint8Array) =>
    Effect.try({
      try: () => decoder.decode(block, { stream: block !== undefined }),
      catch: () => broken("not_utf8")
    })

  const settled = (act: (done: (error?: Error | null) => void) => void) =>
    Effect.async<ReadonlyArray<Cells>, CsvBroken>((resume) =>
      act((error) => {
        while (parser.read() !== null);
        const taken = records
        records = []
        resume(error ? Effect.fail(broken("malformed")) : Effect.succeed(taken))
      })
    )

  const checked = Effect.fnUntraced(function*(parsed: ReadonlyArray<Cells>, textLength: number) {
    charactersSinceRecord = parsed.length > 0 ? 0 : charactersSinceRecord + textLength
    if (charactersSinceRecord > csvLimits.row) return yield* broken("row_too_long")
    const kept = parsed.filter((cells) => cells.length > 0)
    for (const cells of kept) {
      if (cells.length > csvLimits.columns) return yield* broken("too_many_columns")
      if (cells.some((cell) => cell.length > csvLimits.field)) return yield* broken("field_too_long")
      if (cells.reduce((sum, cell) => sum + cell.length, 0) > csvLimits.row) return yield* broken("row_too_long")
      recordsRead += 1
    }
    return Chunk.unsafeFromArray(kept)
  })

  const write = (text: string) =>
    Effect.flatMap(
      settled((done) => parser.write(text, done)),
      (parsed) => checked(parsed, text.length)
    )

  return {
    read: (block) => Effect.flatMap(decode(block), write),
    end: Effect.gen(function*() {
      const tail = yield* Effect.flatMap(decode(), write)
      const last = yield* Effect.flatMap(settled((done) => parser.end(done)), (parsed) => checked(parsed, 0))
      return Chunk.appendAll(tail, last)
    })
  }
})

/**
 * The records of a CSV file, header first: RFC 4180 with a comma, UTF-8 with or without a byte order mark, lines ending
 * in CRLF or LF. Blank lines are left out; cells are not trimmed. Reads as fast as its reader takes.
 */
export const csvRows = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Cells, E | CsvBroken, R> =>
  Stream.unwrapScoped(
    Effect.map(openParser, (parser) =>
      blocks(bytes).pipe(
        Stream.mapEffect(parser.read),
        Stream.concat(Stream.fromEffect(parser.end)),
        Stream.flattenChunks
      ))
  )
