import { assert, describe, it } from "@effect/vitest"
import { type CsvBroken, csvLimits, csvLine, csvRows, rejectedCsv, withoutFormula } from "@trunkline/cohorts"
import { Chunk, Effect, FastCheck, Option, Stream } from "effect"

const bytesOf = (text: string) => new TextEncoder().encode(text)

const rowsOf = (...parts: ReadonlyArray<string | Uint8Array>) =>
  csvRows(Stream.fromIterable(parts.map((part) => typeof part === "string" ? bytesOf(part) : part))).pipe(
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray)
  )

const reasonOf = (...parts: ReadonlyArray<string | Uint8Array>) =>
  Effect.map(Effect.flip(rowsOf(...parts)), (broken: CsvBroken) => [broken.reason, broken.recordsRead])

/** Whatever can stand in a cell: whitespace at its ends is kept within quotes. */
const cell = FastCheck.oneof(
  FastCheck.string({ unit: "grapheme", maxLength: 12 }),
  FastCheck.string({ unit: FastCheck.constantFrom(..."\"',;=+-@ \t\r\n\u00a0\ufeffaé\u0905"), maxLength: 12 })
)
const table = FastCheck.array(FastCheck.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 12 })

describe("csvRows", () => {
  const readable: ReadonlyArray<readonly [what: string, text: string, rows: ReadonlyArray<ReadonlyArray<string>>]> = [
    ["lines ending in LF", "a,b\n1,2\n", [["a", "b"], ["1", "2"]]],
    ["lines ending in CRLF", "a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]],
    ["a last line without an end", "a,b\n1,2", [["a", "b"], ["1", "2"]]],
    ["a byte order mark", "\ufeffa,b\n", [["a", "b"]]],
    ["a byte order mark before a quote", "\ufeff\"a\",b\n", [["a", "b"]]],
    ["quotes, commas and line ends in quoted cells", "\"a\"\"b\",\"c,\r\nd\"\n", [["a\"b", "c,\r\nd"]]],
    ["blank lines, which it leaves out", "\na\n\n  \r\n1\n\n", [["a"], ["1"]]],
    ["empty cells, which are not blank lines", "a,b\n,\n\"\"\n", [["a", "b"], ["", ""], [""]]],
    ["rows of any length", "a,b\n1\n1,2,3\n", [["a", "b"], ["1"], ["1", "2", "3"]]],
    ["cells with their spaces", "a, b \n", [["a", " b "]]],
    ["scripts of every kind", "नाम,😀\n", [["नाम", "😀"]]],
    ["nothing", "", []]
  ]
  for (const [what, text, rows] of readable) {
    it.effect(`reads ${what}`, () => Effect.map(rowsOf(text), (read) => assert.deepStrictEqual(read, rows)))
  }

  it.effect.prop(
    "reads back what csvLine wrote, however the bytes are cut",
    [table, FastCheck.integer({ min: 1, max: 40 })],
    ([rows, size]) =>
      Effect.gen(function*() {
        const bytes = bytesOf(rows.map(csvLine).join(""))
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size))
        assert.deepStrictEqual(yield* rowsOf(...parts), rows)
      })
  )

  it.effect("reads a file of many blocks in order, with nothing lost between them", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 20_000 }, (_, index) => [String(index), `"${index}", and\na second line`])
      assert.deepStrictEqual(yield* rowsOf(rows.map(csvLine).join("")), rows)
    }))

  const brokenFiles: ReadonlyArray<
    readonly [what: string, parts: ReadonlyArray<string | Uint8Array>, reason: CsvBroken["reason"]]
  > = [
    ["a byte that is not UTF-8", ["a\n", Uint8Array.of(0xff)], "not_utf8"],
    ["a character cut off at the end", ["a\n", Uint8Array.of(0xe0, 0xa4)], "not_utf8"],
    ["a quote that is never closed", ["a\n\"b\n"], "malformed"],
    ["text after a closing quote", ["a\n\"b\"c\n"], "malformed"],
    ["a cell too long", [`a\n${"x".repeat(csvLimits.field + 1)}\n`], "field_too_long"],
    ["too many columns", [`a\n${",".repeat(csvLimits.columns)}\n`], "too_many_columns"],
    ["a row too long", [`a\n${`${"x".repeat(60_000)},`.repeat(18)}\n`], "row_too_long"],
    ["a row without an end", ["a\n\"", ...Array<string>(40).fill("x".repeat(30_000))], "row_too_long"]
  ]
  for (const [what, parts, reason] of brokenFiles) {
    it.effect(`breaks at ${what}, after the header`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* reasonOf(...parts), [reason, 1])
        const header = yield* csvRows(
          Stream.fromIterable(parts.map((part) => typeof part === "string" ? bytesOf(part) : part))
        )
          .pipe(Stream.runHead)
        assert.deepStrictEqual(header, Option.some(["a"]))
      }))
  }

  it.effect("takes cells and rows that are as large as allowed", () =>
    Effect.gen(function*() {
      const widest = [Array<string>(csvLimits.columns).fill("1"), ["x".repeat(csvLimits.field)]]
      assert.deepStrictEqual(yield* rowsOf(widest.map(csvLine).join("")), widest)
    }))

  it.effect("says where a file broke, and nothing of what stood there", () =>
    Effect.gen(function*() {
      const broken = yield* Effect.flip(rowsOf("a\n1\n\"+919876543210\"x\n"))
      assert.notInclude(broken.message, "98765")
      assert.include(broken.message, "quote")
    }))

  it.effect("hands on the failure of the bytes", () =>
    Effect.gen(function*() {
      const cut = Stream.concat(Stream.make(bytesOf("a\n")), Stream.fail("cut" as const))
      assert.deepStrictEqual(yield* Effect.flip(Stream.runDrain(csvRows(cut))), "cut")
    }))

  it.effect("reads no further than its reader takes", () =>
    Effect.gen(function*() {
      let pulled = 0
      const endless = Stream.repeatEffect(Effect.sync(() => {
        pulled += 1
        return bytesOf("1,2\n".repeat(1000))
      }))
      yield* csvRows(endless).pipe(Stream.take(5), Stream.runDrain)
      assert.isBelow(pulled, 50)
    }))
})

describe("rejectedCsv", () => {
  const csv = rejectedCsv(["phone", "name"], 0)
  const read = (text: string) => Effect.map(rowsOf(text), ([row]) => row)

  it("writes the header as it was, and the reason's column", () => {
    assert.strictEqual(csv.header, "phone,name,rejected_reason\n")
  })

  it("joins reasons with semicolons, and keeps the cells as they were", () => {
    assert.strictEqual(
      csv.row([" 98 ", "O\"Hara"], ["invalid_phone_number", "missing_required:a,b"]),
      "\" 98 \",\"O\"\"Hara\",\"invalid_phone_number;missing_required:a,b\"\n"
    )
  })

  it("keeps the reason in its column when a row has too few or too many cells", () => {
    assert.strictEqual(csv.row(["98"], ["column_count_mismatch"]), "98,,column_count_mismatch\n")
    assert.strictEqual(csv.row(["98", "a", "b"], ["column_count_mismatch"]), "98,\"a,b\",column_count_mismatch\n")
  })

  const formulas: ReadonlyArray<readonly [cell: string, safe: string]> = [
    ["=1+1", "'=1+1"],
    ["  =1", "'  =1"],
    ["\u00a0@SUM(A1)", "'\u00a0@SUM(A1)"],
    ["-1", "'-1"],
    ["+1", "'+1"],
    ["\t=1", "'\t=1"],
    ["\n=1", "'\n'=1"],
    ["a\r\n=1\n+2\rb", "a\r\n'=1\n'+2\rb"],
    ["a\n\nb", "a\n\nb"],
    ["1-1", "1-1"],
    ["", ""]
  ]
  it("lets no cell be taken for a formula", () => {
    for (const [text, safe] of formulas) assert.strictEqual(withoutFormula(text), safe, JSON.stringify(text))
  })

  it("keeps the plus of a number in the phone column, and of nothing else", () => {
    assert.strictEqual(csv.row(["+91 (98) 1", "+91"], ["r"]), "+91 (98) 1,'+91,r\n")
    assert.strictEqual(csv.row(["+1+cmd|' /C calc'!A0", ""], ["r"]), "'+1+cmd|' /C calc'!A0,,r\n")
    assert.strictEqual(csv.row(["=1", ""], ["r"]), "'=1,,r\n")
  })

  it.effect.prop("every row reads back as wide as the header, with the reason last", [
    FastCheck.array(cell, { maxLength: 5 })
  ], ([cells]) =>
    Effect.gen(function*() {
      const row = yield* read(csv.row(cells, ["reason"]))
      assert.lengthOf(row ?? [], 3)
      assert.strictEqual(row?.[2], "reason")
    }))

  it.effect.prop("no line of any cell starts with a formula", [cell], ([text]) =>
    Effect.gen(function*() {
      const row = yield* read(csv.row(["", text], ["reason"]))
      for (const line of (row?.[1] ?? "").split(/\r\n|\r|\n/)) assert.notMatch(line, /^[ \u00a0]*[=+\-@\t]/)
    }))
})
