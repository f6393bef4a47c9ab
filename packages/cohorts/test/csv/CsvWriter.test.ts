import { assert, describe, it } from "@effect/vitest"
import { csvLine, csvRows, rejectedCsv } from "@trunkline/cohorts"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Chunk, Effect, FastCheck, Stream } from "effect"
import { writeToString } from "fast-csv"

const rowsOf = (text: string) =>
  Effect.map(Stream.runCollect(csvRows(Stream.make(new TextEncoder().encode(text)))), Chunk.toReadonlyArray)

/** An arbitrary cell, often of characters that begin formulas. */
const cell = FastCheck.oneof(
  FastCheck.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !text.includes("\0")),
  FastCheck.string({
    unit: FastCheck.constantFrom(..."\"',;|=+-@＝＋－＠19 \t\r\n\u00a0\ufeff\u3000aé\u0905"),
    maxLength: 12
  })
)
const table = FastCheck.array(FastCheck.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 })

describe("csvLine", () => {
  it("quotes cells that need it, and all cells where spaces would be lost", () => {
    assert.strictEqual(csvLine(["a", "b c", "d,e", "f\"g", "h\ni"]), "a,b c,\"d,e\",\"f\"\"g\",\"h\ni\"\n")
    assert.strictEqual(csvLine(["a", " b"]), "\"a\",\" b\"\n")
    assert.strictEqual(csvLine(["", ""]), ",\n")
    assert.strictEqual(csvLine([""]), "\"\"\n")
  })

  it.effect.prop(
    "writes the same line as fast-csv, and a line that reads back where that one would not",
    [table],
    ([rows]) =>
      Effect.gen(function*() {
        const lines = rows.map(csvLine)
        const ours = lines.join("")
        const theirs = yield* Effect.promise(() =>
          writeToString(rows.map((row) => [...row]), { includeEndRowDelimiter: true })
        )
        assert.deepStrictEqual(yield* rowsOf(ours), rows)
        const isPlain = rows.every((row) => row.join() !== "" && row.every((cell) => cell.trim() === cell))
        if (isPlain) assert.strictEqual(ours, theirs)
        const quoted = yield* Effect.promise(() => writeToString(rows.map((row) => [...row]), { quoteColumns: true }))
        assert.deepStrictEqual(yield* rowsOf(quoted), rows)
      }),
    { fastCheck: { numRuns: propertyRuns(40) } }
  )
})

describe("rejectedCsv", () => {
  const csv = rejectedCsv(["phone", "name"], 0)

  it("writes the original header with a column for reasons", () => {
    assert.strictEqual(csv.header, "phone,name,rejected_reason\n")
  })

  it("joins reasons with semicolons, and keeps the original cells", () => {
    assert.strictEqual(
      csv.row([" 98 ", "O\"Hara"], ["invalid_phone_number", "missing_required:a,b"]),
      "\" 98 \",\"O\"\"Hara\",\"invalid_phone_number;missing_required:a,b\"\n"
    )
  })

  it("returns rows with too few or too many cells as they were, with the reason beyond its column", () => {
    assert.strictEqual(csv.row(["98"], ["column_count_mismatch"]), "98,,,column_count_mismatch\n")
    assert.strictEqual(csv.row(["98", "a", "b"], ["column_count_mismatch"]), "98,a,b,,column_count_mismatch\n")
    assert.strictEqual(csv.row(["98", "a", "b", "c"], ["column_count_mismatch"]), "98,a,b,c,column_count_mismatch\n")
    assert.strictEqual(csv.row(["98", "a", "", ""], ["column_count_mismatch"]), "98,a,,,column_count_mismatch\n")
  })

  it("replaces the reasons of a file of rejected rows, as it was or as a spreadsheet saves it", () => {
    for (const header of [["phone", "name", "rejected_reason"], ["phone", "name", "rejected_reason", "", ""]]) {
      const again = rejectedCsv(header, 0)
      const padding = header.slice(3)
      assert.strictEqual(again.header, csv.header)
      for (const reasons of ["", "duplicate_phone_number", "missing_required:a;b", "invalid_phone_number;other"]) {
        assert.strictEqual(
          again.row(["9", "a", reasons, ...padding], ["invalid_phone_number"]),
          "9,a,invalid_phone_number\n"
        )
      }
      for (const cells of [["98"], ["98", "a", "b"], ["98", "a", "b", "c"], ["98", "", "", "b"]]) {
        const line = csv.row(cells, ["column_count_mismatch"])
        const saved = [...line.trim().split(","), ...padding]
        assert.strictEqual(again.row(saved, ["column_count_mismatch"]), line)
        assert.strictEqual(
          again.row(saved.map((cell, index) => index === 0 || cell === "column_count_mismatch" ? cell : ""), ["r"]),
          "98,,r\n"
        )
      }
    }
  })

  it("keeps the values of a file's own column rejected_reason, and cells beyond it", () => {
    const csv = rejectedCsv(["phone", "name", "rejected_reason"], 0)
    assert.strictEqual(
      csv.row(["98", "a", "moved away", "more"], ["column_count_mismatch"]),
      "98,a,moved away,more,column_count_mismatch\n"
    )
    assert.strictEqual(csv.row(["98", "a", "moved away"], ["r"]), "98,a,moved away,r\n")
    assert.strictEqual(csv.row(["98", "a", "moved away", "", "values_too_long"], ["r"]), "98,a,moved away,r\n")
  })

  it("has the separator and the byte order mark of the uploaded file", () => {
    const semicolons = rejectedCsv(["phone", "name, or; both"], 0, { separator: "semicolon", hasByteOrderMark: true })
    assert.strictEqual(semicolons.header, "\ufeffphone;\"name, or; both\";rejected_reason\n")
    assert.strictEqual(semicolons.row(["9", "a,b"], ["one", "two"]), "9;a,b;\"one;two\"\n")
    const tabs = rejectedCsv(["phone", "name"], 0, { separator: "tab", hasByteOrderMark: false })
    assert.strictEqual(tabs.header, "phone\tname\trejected_reason\n")
    assert.strictEqual(tabs.row(["9", "a\tb"], ["one", "two"]), "9\t\"a\tb\"\tone;two\n")
  })

  it("takes linear time for long cells of any characters", () => {
    for (const unit of [" ", "\n", "\r", " \n", "\t", "=", "\n =", "+1 "]) {
      const text = unit.repeat(200_000)
      assert.isAtMost(text.length, csv.row([text, `a${text}`], ["r"]).length)
    }
  })

  it("keeps the plus of numbers in the phone column only", () => {
    assert.strictEqual(csv.row(["+919876543210", "+91"], ["r"]), "+919876543210,'+91,r\n")
    assert.strictEqual(csv.row(["+91-98765-43210", ""], ["r"]), "'+91-98765-43210,,r\n")
    assert.strictEqual(csv.row(["  +919876543210", ""], ["r"]), "\"  +919876543210\",\"\",\"r\"\n")
    assert.strictEqual(csv.row(["+1+cmd|' /C calc'!A0", ""], ["r"]), "\"'+1+cmd|' /C calc'!A0\",,r\n")
    assert.strictEqual(csv.row(["\n+91", ""], ["r"]), "\"'\n'+91\",,r\n")
    assert.strictEqual(csv.row(["\t+91", ""], ["r"]), "'\t+91,,r\n")
    assert.strictEqual(csv.row(["=1", ""], ["r"]), "'=1,,r\n")
  })

  it.effect.prop("writes rows that read back with the width of the header and the reason last", [
    FastCheck.array(cell, { maxLength: 5 })
  ], ([cells]) =>
    Effect.gen(function*() {
      const [row = []] = yield* rowsOf(csv.row(cells, ["reason"]))
      assert.lengthOf(row, 3)
      assert.strictEqual(row[2], "reason")
    }))

  it.effect.prop("starts no cell, and no line in a cell, with a formula, except for phone numbers", [
    FastCheck.array(cell, { minLength: 1, maxLength: 4 }),
    FastCheck.array(FastCheck.array(cell, { maxLength: 6 }), { maxLength: 6 }),
    FastCheck.array(cell, { minLength: 1, maxLength: 3 })
  ], ([header, rows, reasons]) =>
    Effect.gen(function*() {
      const csv = rejectedCsv(header, 0)
      const file = yield* rowsOf(csv.header + rows.map((cells) => csv.row(cells, reasons)).join(""))
      assert.lengthOf(file, rows.length + 1)
      for (const row of file) {
        row.forEach((cell, index) => {
          if (index === 0 && /^ *\+\d[\d ().-]*$/.test(cell)) return
          assert.notMatch(cell, /^\s*[\r\n]/)
          for (const line of cell.split(/\r\n|\r|\n/)) assert.notMatch(line, /^\s*[=+\-@\t＝＋－＠]/)
        })
      }
    }))

  it.effect.prop("changes cells only by apostrophes", [
    FastCheck.array(cell, { minLength: 2, maxLength: 2 })
  ], ([cells]) =>
    Effect.gen(function*() {
      const [row = []] = yield* rowsOf(csv.row(cells, ["r"]))
      cells.forEach((cell, index) => {
        assert.strictEqual((row[index] ?? "").replaceAll("'", ""), cell.replaceAll("'", ""))
      })
    }))
})
