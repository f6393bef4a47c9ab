import { assert, describe, it } from "@effect/vitest"
import { CsvError, type CsvErrorReason, csvRows } from "@trunkline/cohorts"
import { Chunk, Effect, FastCheck, Option, Stream } from "effect"

type Unit = "utf-8" | "utf-16le" | "utf-16be"

const encoded = (text: string, unit: Unit): Uint8Array => {
  if (unit === "utf-8") return new TextEncoder().encode(text)
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), unit === "utf-16le")
  return bytes
}

const rowsOf = (...parts: ReadonlyArray<Uint8Array>) =>
  Effect.map(Stream.runCollect(csvRows(Stream.fromIterable(parts))), Chunk.toReadonlyArray)

const units: ReadonlyArray<Unit> = ["utf-8", "utf-16le", "utf-16be"]

const text = FastCheck.tuple(
  FastCheck.constantFrom("a", "\"a\"", "\n", ",", " "),
  FastCheck.string({ unit: "grapheme", maxLength: 30 }).filter((text) => !text.includes("\"") && !text.includes("\0"))
).map(([first, rest]) => `${first},${rest}`)

describe("the encoding of a CSV file", () => {
  for (const unit of units) {
    for (const mark of ["", "\ufeff"]) {
      const encoding = `${unit} ${mark === "" ? "without" : "with"} a byte order mark`

      it.effect(`is detected: ${encoding}`, () =>
        Effect.gen(function*() {
          const rows = [["name", "city"], ["आशा 😀", "Orléans"]]
          const file = `${mark}name,city\r\nआशा 😀,Orléans\r\n`
          assert.deepStrictEqual(yield* rowsOf(encoded(file, unit)), rows)
          assert.deepStrictEqual(yield* rowsOf(...Array.from(encoded(file, unit), (byte) => Uint8Array.of(byte))), rows)
          assert.deepStrictEqual(yield* rowsOf(encoded(`${mark}a`, unit)), [["a"]])
        }))

      it.effect.prop(
        `does not affect the records: ${encoding}`,
        [text, FastCheck.integer({ min: 1, max: 9 })],
        ([text, size]) =>
          Effect.gen(function*() {
            const bytes = encoded(mark + text, unit)
            const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
              bytes.subarray(index * size, (index + 1) * size))
            assert.deepStrictEqual(yield* rowsOf(...parts), yield* rowsOf(encoded(text, "utf-8")))
          })
      )
    }
  }

  const others: ReadonlyArray<
    readonly [title: string, bytes: ReadonlyArray<number>, reason: CsvErrorReason, message: string]
  > = [
    ["a zip file, as a spreadsheet is", [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00], "xlsx", "spreadsheet (xlsx)"],
    ["an empty zip file", [0x50, 0x4b, 0x05, 0x06, 0x00], "xlsx", "save it as CSV"],
    ["an old spreadsheet", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1], "xls", "save it as CSV"],
    ["a gzip file", [0x1f, 0x8b, 0x08, 0x00], "gzip", "unpack"],
    ["a PDF", Array.from(encoded("%PDF-1.7\n", "utf-8")), "pdf", "PDF"],
    ["UTF-32 LE with its mark", [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], "utf32", "CSV UTF-8"],
    ["UTF-32 BE with its mark", [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61], "utf32", "CSV UTF-8"],
    ["UTF-32 LE", [0x61, 0, 0, 0, 0x0a, 0, 0, 0], "utf32", "CSV UTF-8"],
    ["UTF-32 BE", [0, 0, 0, 0x61, 0, 0, 0, 0x0a], "utf32", "CSV UTF-8"],
    ["NUL characters", [0, 0, 0, 0, 0], "binary", "not text"],
    ["Windows-1252", [0x4e, 0xe9, 0x2c, 0x61, 0x0a], "not_utf8", "save it as CSV UTF-8"],
    ["overlong characters", [0xc0, 0xaf, 0x0a, 0x0a], "not_utf8", "CSV UTF-8"],
    ["half a surrogate pair in UTF-8", [0xed, 0xa0, 0x80, 0x0a], "not_utf8", "CSV UTF-8"]
  ]
  for (const [title, bytes, reason, message] of others) {
    it.effect(`is rejected: ${title}`, () =>
      Effect.gen(function*() {
        for (const parts of [[Uint8Array.from(bytes)], bytes.map((byte) => Uint8Array.of(byte))]) {
          const failure = yield* Effect.flip(rowsOf(...parts))
          assert.deepStrictEqual(failure, new CsvError({ reason, recordsRead: 0 }))
          assert.include(failure.message, message)
          assert.notInclude(failure.message, "record 0")
        }
      }))
  }

  const cutOff: ReadonlyArray<readonly [title: string, tail: ReadonlyArray<number>]> = [
    ["an odd byte at the end", [0x61]],
    ["the first half of a pair at the end", [0x3d, 0xd8]],
    ["the first half of a pair alone", [0x3d, 0xd8, 0x61, 0x00]],
    ["the second half of a pair alone", [0x00, 0xdc, 0x61, 0x00]]
  ]
  for (const [title, tail] of cutOff) {
    it.effect(`is rejected after the records before it: UTF-16 with ${title}`, () =>
      Effect.gen(function*() {
        const bytes = Uint8Array.from([...encoded("\ufeffa\n1\n", "utf-16le"), ...tail])
        for (const parts of [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))]) {
          const failure = yield* Effect.flip(rowsOf(...parts))
          assert.deepStrictEqual(failure, new CsvError({ reason: "not_utf16", recordsRead: 2 }))
          assert.deepStrictEqual(yield* Stream.runHead(csvRows(Stream.fromIterable(parts))), Option.some(["a"]))
        }
      }))
  }
})
