import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, FastCheck, Option, Stream } from "effect"
import { CsvError, type CsvErrorReason, csvLimits } from "../csv/Csv.js"
import { type CsvFormat, CsvSeparator, separators } from "../csv/CsvFormat.js"
import type { CsvReader } from "../csv/CsvReader.js"
import { csvHeader, csvLine } from "../csv/CsvWriter.js"

/** A file of rows, the first of which is its header. */
const fileOf = ([header, ...rows]: ReadonlyArray<ReadonlyArray<string>>) =>
  header === undefined ? "" : csvHeader(header) + rows.map(csvLine).join("")

type Part = string | Uint8Array
type Rows = ReadonlyArray<ReadonlyArray<string>>

const bytesOf = (part: Part) => typeof part === "string" ? new TextEncoder().encode(part) : part

/** An arbitrary cell, often of characters that matter to CSV. */
const cell = FastCheck.oneof(
  FastCheck.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !text.includes("\0")),
  FastCheck.string({ unit: FastCheck.constantFrom(..."\"',;=+-@ \t\r\n\u00a0\ufeffaé\u0905"), maxLength: 12 })
)

/** An arbitrary table of up to twelve rows of one to five cells. */
const table = FastCheck.array(FastCheck.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 12 })

const readable: ReadonlyArray<readonly [title: string, text: string, rows: Rows]> = [
  ["lines ending in LF", "a,b\n1,2\n", [["a", "b"], ["1", "2"]]],
  ["lines ending in CRLF", "a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]],
  ["lines ending in CR", "a,b\r1,2\r", [["a", "b"], ["1", "2"]]],
  ["lines with mixed ends", "a\r\n1\n2\r3\r\r\n\n\r4", [["a"], ["1"], ["2"], ["3"], ["4"]]],
  ["a last line without a line end", "a,b\n1,2", [["a", "b"], ["1", "2"]]],
  ["a header only", "a,b", [["a", "b"]]],
  ["a byte order mark", "\ufeffa,b\n", [["a", "b"]]],
  ["a byte order mark before a quote", "\ufeff\"a\",b\n", [["a", "b"]]],
  ["a byte order mark elsewhere, as text", "a\n\ufeff1\n", [["a"], ["\ufeff1"]]],
  ["quotes, commas and line ends in quoted cells", "\"a\"\"b\",\"c,\r\nd\"\n", [["a\"b", "c,\r\nd"]]],
  ["cells of quotes only", "\"\"\"\",\"\"\"\"\"\"\n\"\",\"\"", [["\"", "\"\""], ["", ""]]],
  ["stray quotes in unquoted cells", "a\"b,c\"\n\"\",1\"\"\n", [["a\"b", "c\""], ["", "1\"\""]]],
  ["quoted cells without the spaces around them", " \"a\" ,\t\"b\"\u00a0\n", [["a", "b"]]],
  ["a file without its blank lines", "\na\n\n  \r\n1\n\n \t", [["a"], ["1"]]],
  ["lines of empty cells, which are not blank", "a,b\n,\n\"\"\n", [["a", "b"], ["", ""], [""]]],
  ["a first cell of spaces as empty, and other cells unchanged", " ,b\na, ", [["", "b"], ["a", " "]]],
  ["rows of any length", "a,b\n1\n1,2,3\n", [["a", "b"], ["1"], ["1", "2", "3"]]],
  ["cells with their spaces", "a, b \n", [["a", " b "]]],
  ["scripts of every kind", "नाम,😀\n", [["नाम", "😀"]]],
  ["semicolons", "a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]],
  ["tabs, where empty cells are not spaces", "a\tb\tc\n\t\t3\n1\t\t\n", [["a", "b", "c"], ["", "", "3"], [
    "1",
    "",
    ""
  ]]],
  ["tabs around quoted cells", "\"a\"\t \"b\" \n\t\"1\t2\"\n", [["a", "b"], ["", "1\t2"]]],
  ["a line of tabs, which is not blank", "a\tb\n\t\n", [["a", "b"], ["", ""]]],
  ["a header whose first column has no name", "\tb\n1\t2\n", [["", "b"], ["1", "2"]]],
  ["a quoted header with other separators", "\"a,x,y\";\"b\tz\";c\n1;2;3\n", [["a,x,y", "b\tz", "c"], ["1", "2", "3"]]],
  ["a quoted header with quotes and line ends", "\"a\"\",;\n;\",b\n1,2\n", [["a\",;\n;", "b"], ["1", "2"]]],
  ["a stray quote in a header", "5\" pipe;b;c\n1;2;3\n", [["5\" pipe", "b", "c"], ["1", "2", "3"]]],
  ["names with a comma and a space", "Name, first;Phone\na, b;1\n", [["Name, first", "Phone"], ["a, b", "1"]]],
  ["one column, whatever its rows hold", "a\n1;2\t3\n", [["a"], ["1;2\t3"]]],
  ["as many commas as semicolons with commas", "a;b,c\n1,2\n", [["a;b", "c"], ["1", "2"]]],
  ["the separator that a first line names", "sep=;\na,b;c,d\n1;2\n", [["a,b", "c,d"], ["1", "2"]]],
  ["a first line for a comma, which is no row", "\ufeffsep=,\r\na;b;c,d\r\n1,2\r\n", [["a;b;c", "d"], ["1", "2"]]],
  ["a first line for a tab, quoted and repeated", "\r\n\"SEP=\t\t\" \ra\n", [["a"]]],
  ["a header that begins like such a line", "sep=a,b\n1,2\n", [["sep=a", "b"], ["1", "2"]]],
  ["a first line for a semicolon and nothing else", "sep=;", []],
  ["an empty file", "", []],
  ["a byte order mark and nothing else", "\ufeff", []]
]

const badFiles: ReadonlyArray<readonly [title: string, parts: ReadonlyArray<Part>, reason: CsvErrorReason]> = [
  ["a byte that is not UTF-8", ["a\n", Uint8Array.of(0xff)], "not_utf8"],
  ["a character cut off at the end", ["a\n", Uint8Array.of(0xe0, 0xa4)], "not_utf8"],
  ["a NUL character", ["a\n1,\0\n"], "binary"],
  ["a quote that is never closed", ["a\n\"b\n"], "malformed"],
  ["text after a closing quote", ["a\n\"b\"c\n"], "malformed"],
  ["a cell too long", [`a\n${"x".repeat(csvLimits.field + 1)}\n`], "field_too_long"],
  ["too many columns", [`a\n${",".repeat(csvLimits.columns)}\n`], "too_many_columns"],
  ["a row too long", [`a\n${`${"x".repeat(60_000)},`.repeat(18)}\n`], "row_too_long"],
  ["a row without an end", ["a\n\"", ...Array<string>(40).fill("x".repeat(30_000))], "row_too_long"],
  ["a line of spaces without an end", ["a\n", ...Array<string>(40).fill(" ".repeat(30_000))], "row_too_long"]
]

/** The laws of `CsvReader`: the records of every file, and the errors of every malformed one. */
export const csvReaderLaws = (name: string, { rows }: CsvReader.Service) =>
  describe(`CsvReader laws: ${name}`, () => {
    const streamOf = (parts: ReadonlyArray<Part>) => rows(Stream.fromIterable(parts.map(bytesOf)))
    const rowsOf = (...parts: ReadonlyArray<Part>) =>
      Effect.map(Stream.runCollect(streamOf(parts)), Chunk.toReadonlyArray)

    for (const [title, text, rows] of readable) {
      it.effect(`reads ${title}`, () => Effect.map(rowsOf(text), (read) => assert.deepStrictEqual(read, rows)))

      it.effect(`reads ${title}, a byte at a time`, () =>
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* rowsOf(...Array.from(bytesOf(text), (byte) => Uint8Array.of(byte))), rows)
        }))
    }

    it.effect.prop(
      "reads back written rows, however the bytes are split",
      [table, FastCheck.integer({ min: 1, max: 40 })],
      ([rows, size]) =>
        Effect.gen(function*() {
          const bytes = bytesOf(fileOf(rows))
          const parts = Array.from(
            { length: Math.ceil(bytes.length / size) },
            (_, index) => bytes.subarray(index * size, (index + 1) * size)
          )
          assert.deepStrictEqual(yield* rowsOf(...parts), rows)
        })
    )

    it.effect("reads a file of many blocks in order and in full", () =>
      Effect.gen(function*() {
        const rows = Array.from({ length: 5000 }, (_, index) => [String(index), `"${index}", and\na second line é`])
        assert.deepStrictEqual(yield* rowsOf(fileOf(rows)), rows)
      }))

    for (const [title, parts, reason] of badFiles) {
      it.effect(`fails at ${title}, after the header`, () =>
        Effect.gen(function*() {
          const failure = yield* Effect.flip(rowsOf(...parts))
          assert.deepStrictEqual(failure, new CsvError({ reason, recordsRead: 1 }))
          assert.deepStrictEqual(yield* Stream.runHead(streamOf(parts)), Option.some(["a"]))
        }))
    }

    it.effect("tells the format before the first record", () =>
      Effect.gen(function*() {
        const formatOf = (text: string, encode: (text: string) => Uint8Array = bytesOf) =>
          Effect.gen(function*() {
            const formats: Array<CsvFormat> = []
            yield* Stream.runForEach(
              rows(Stream.make(encode(text)), (format) => void formats.push(format)),
              () => Effect.sync(() => assert.lengthOf(formats, 1))
            )
            return formats
          })
        const utf16 = (text: string) =>
          Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((letter) => [letter.charCodeAt(0), 0])])
        for (const separator of CsvSeparator.literals) {
          const header = ["a", "b,c;d\te"]
          const file = `${csvHeader(header, separator)}1${separators[separator]}2\n`
          assert.deepStrictEqual(yield* formatOf(file), [{ separator, hasByteOrderMark: false }])
          assert.deepStrictEqual(yield* formatOf(`\ufeff${file}`), [{ separator, hasByteOrderMark: true }])
          assert.deepStrictEqual(yield* formatOf(file, utf16), [{ separator, hasByteOrderMark: true }])
          assert.deepStrictEqual(yield* formatOf(`sep=${separators[separator]}\na\n`), [{
            separator,
            hasByteOrderMark: false
          }])
          assert.deepStrictEqual((yield* rowsOf(file))[0], header)
        }
      }))

    it.effect("fails at a first line that names another separator", () =>
      Effect.gen(function*() {
        for (const text of ["sep=|\na|b\n", "sep=\na,b\n", "sep=:"]) {
          assert.deepStrictEqual(
            yield* Effect.flip(rowsOf(text)),
            new CsvError({ reason: "separator", recordsRead: 0 })
          )
        }
      }))

    it.effect("emits every record before an error", () =>
      Effect.gen(function*() {
        const read: Array<ReadonlyArray<string>> = []
        const reading = Stream.runForEach(
          streamOf(["a\n1\n2\n\"3\"x\n4\n"]),
          (row) => Effect.sync(() => read.push(row))
        )
        assert.strictEqual((yield* Effect.flip(reading)).recordsRead, 3)
        assert.deepStrictEqual(read, [["a"], ["1"], ["2"]])
      }))

    it.effect("accepts cells and rows of the maximum size", () =>
      Effect.gen(function*() {
        const largest = [Array<string>(csvLimits.columns).fill("1"), ["x".repeat(csvLimits.field)]]
        assert.deepStrictEqual(yield* rowsOf(fileOf(largest)), largest)
        const cells = Array<string>(17).fill("x".repeat(61_680))
        for (const end of ["", "\r\n"]) {
          const row = `${cells.join(",")}${end}`
          assert.strictEqual(row.length - end.length, csvLimits.row)
          assert.deepStrictEqual(yield* rowsOf(row), [cells])
        }
      }))

    it.effect("reports the position of an error, and quotes nothing of the file", () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(rowsOf("a\n1\n\"+919876543210\"x\n"))
        assert.notInclude(failure.message, "98765")
        assert.include(failure.message, "quote")
        assert.include(failure.message, "record 2")
      }))

    it.effect("passes on a failure of the bytes", () =>
      Effect.gen(function*() {
        const cut = Stream.concat(Stream.make(bytesOf("a\n")), Stream.fail("cut" as const))
        assert.deepStrictEqual(yield* Effect.flip(Stream.runDrain(rows(cut))), "cut")
      }))

    it.effect("reads no further than its consumer", () =>
      Effect.gen(function*() {
        let pulls = 0
        const endless = Stream.repeatEffect(Effect.sync(() => {
          pulls += 1
          return bytesOf("1,2\n".repeat(1000))
        }))
        yield* rows(endless).pipe(Stream.take(5), Stream.runDrain)
        assert.isBelow(pulls, 50)
      }))
  })
