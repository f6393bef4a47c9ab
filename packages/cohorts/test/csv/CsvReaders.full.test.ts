import { assert, describe, it } from "@effect/vitest"
import { CsvReader, csvRows } from "@trunkline/cohorts"
import { csvReaderLaws } from "@trunkline/cohorts/testing"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, Either, FastCheck, Stream } from "effect"
import { parseString } from "fast-csv"
import { type CsvFormat, separators } from "../../src/csv/CsvFormat.js"
import { makeCsvReader } from "../../src/csv/CsvReader.js"
import { makeCsvScanner } from "../../src/csv/CsvScanner.js"
import { fastCsvRows, makeFastCsvParse } from "./FastCsvParser.js"

csvReaderLaws("csvRows", { rows: csvRows })
csvReaderLaws("fastCsvRows", { rows: fastCsvRows })

/** Output of a reader: the records, and its failure. */
const outcome = (rows: CsvReader.Service["rows"], parts: ReadonlyArray<Uint8Array>) =>
  Effect.gen(function*() {
    const records: Array<ReadonlyArray<string>> = []
    const end = yield* Effect.either(
      Stream.runForEach(rows(Stream.fromIterable(parts)), (row) => Effect.sync(() => records.push(row)))
    )
    return { records, failure: Either.isLeft(end) ? `${end.left.reason} ${end.left.recordsRead}` : null }
  })

const splitAt = (bytes: Uint8Array, cuts: ReadonlyArray<number>) => {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

const cuts = FastCheck.array(FastCheck.nat(), { maxLength: 8 })

const encode = (text: string, encoding: string): Uint8Array => {
  if (encoding === "utf-8") return new TextEncoder().encode(text)
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), encoding === "utf-16le")
  return bytes
}

const csvText = FastCheck.string({
  unit: FastCheck.constantFrom(
    "\"",
    "\"",
    ",",
    ",",
    ";",
    "\n",
    "\r",
    "\r\n",
    " ",
    "\t",
    "\u00a0",
    "\ufeff",
    "a",
    "b",
    "é",
    "😀"
  ),
  maxLength: 40
})

/** Bytes of text, sometimes with an invalid byte, and random bytes. */
const bytes = FastCheck.oneof(
  FastCheck.tuple(csvText, FastCheck.constantFrom("utf-8", "utf-16le", "utf-16be")).map(([text, encoding]) =>
    encode(text, encoding)
  ),
  FastCheck.tuple(csvText, FastCheck.nat(), FastCheck.nat(255)).map(([text, place, byte]) => {
    const bytes = encode(text, "utf-8")
    if (bytes.length > 0) bytes[place % bytes.length] = byte
    return bytes
  }),
  FastCheck.uint8Array({ maxLength: 12 })
)

const small = { field: 4, row: 11, columns: 3 }
const pairs: ReadonlyArray<
  readonly [limits: string, scanner: CsvReader.Service["rows"], fastCsv: CsvReader.Service["rows"]]
> = [
  ["the limits of files", csvRows, fastCsvRows],
  ["small limits", makeCsvReader(makeCsvScanner, small), makeCsvReader(makeFastCsvParse, small)]
]

describe("csvRows and fastCsvRows", () => {
  for (const [limits, scanner, fastCsv] of pairs) {
    it.effect.prop(
      `agree on all bytes, however they are split, under ${limits}`,
      [bytes, cuts, cuts],
      ([bytes, one, another]) =>
        Effect.gen(function*() {
          const whole = yield* outcome(scanner, [bytes])
          assert.deepStrictEqual(yield* outcome(fastCsv, [bytes]), whole)
          assert.deepStrictEqual(yield* outcome(scanner, splitAt(bytes, one)), whole)
          assert.deepStrictEqual(yield* outcome(fastCsv, splitAt(bytes, another)), whole)
        }),
      { fastCheck: { numRuns: propertyRuns(100) } }
    )
  }

  // The stream drops a byte order mark from the beginning of each remaining text.
  const unmarked = csvText.map((text) => text.replaceAll("\ufeff", "").replace(/^\s*[\r\n]/, ""))

  it.effect.prop("read the same records as fast-csv's stream", [unmarked], ([text]) =>
    Effect.gen(function*() {
      const rows: Array<ReadonlyArray<string>> = []
      let delimiter = ","
      const tell = ({ separator }: CsvFormat) => void (delimiter = separators[separator])
      yield* Effect.ignore(Stream.runDrain(csvRows(Stream.make(encode(text, "utf-8")), tell)))
      const failed = yield* Effect.async<boolean>((resume) => {
        parseString<Array<string>, Array<string>>(text, { delimiter })
          .on("error", () => resume(Effect.succeed(true)))
          .on("data", (cells: Array<string>) => rows.push(cells))
          .on("end", () => resume(Effect.succeed(false)))
      })
      const read = yield* outcome(csvRows, [encode(text, "utf-8")])
      assert.strictEqual(read.failure !== null, failed)
      if (!failed) assert.deepStrictEqual(read.records, rows.filter((cells) => cells.length > 0))
    }))

  it("CsvReader is csvRows by default", () => {
    assert.strictEqual(Effect.runSync(CsvReader).rows, csvRows)
  })
})
