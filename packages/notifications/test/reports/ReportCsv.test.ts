import { assert, describe, it } from "@effect/vitest"
import type { Cell, QueryResult } from "@trunkline/warehouse"
import { Effect, FastCheck } from "effect"
import { parseString } from "fast-csv"
import { renderCsv } from "../../src/reports/ReportCsv.js"
import { renderMail } from "../../src/reports/ReportMail.js"
import { gridOf, reportOf, resultOf } from "./Fixture.js"

const textOf = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)

const csv = (result: QueryResult, maxBytes?: number) =>
  Effect.map(renderCsv(result, maxBytes), ({ bytes, rows }) => ({ text: textOf(bytes), bytes: bytes.length, rows }))

const linesOf = (columns: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<Cell>>) =>
  Effect.map(csv(resultOf(columns, rows)), ({ text }) => text.slice(1).split("\r\n"))

const parse = (text: string) =>
  Effect.async<ReadonlyArray<ReadonlyArray<string>>, Error>((resume) => {
    const rows: Array<ReadonlyArray<string>> = []
    parseString<Array<string>, Array<string>>(text, { headers: false })
      .on("data", (row) => rows.push(row))
      .on("error", (error) => resume(Effect.fail(error)))
      .on("end", () => resume(Effect.succeed(rows)))
  })

/** The CSV reader of these tests trims cells of white space. */
const isBlank = (value: Cell) => typeof value === "string" && value !== "" && value.trim() === ""

const cell = FastCheck.oneof(
  FastCheck.constant(null),
  FastCheck.double({ noNaN: true, noDefaultInfinity: true }),
  FastCheck.string({ unit: "grapheme" }),
  FastCheck.string({
    unit: FastCheck.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", " ", "\"", ",", ";", "'", "1", "अ")
  })
).filter((value) => !isBlank(value))

const table = FastCheck.integer({ min: 1, max: 4 }).chain((width) =>
  FastCheck.array(FastCheck.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }).map((rows) =>
    resultOf(Array.from({ length: width }, (_, index) => `c${index}`), rows)
  )
)

/** Text of a value in the file, without apostrophes before formulas and without NUL. */
const expectedText = (value: Cell) => String(value ?? "").replaceAll("'", "").replaceAll("\0", "")

describe("renderCsv", () => {
  it.effect("starts with a byte order mark and ends lines with CR LF", () =>
    Effect.gen(function*() {
      const { text } = yield* csv(resultOf(["दिन", "calls"], [["सोमवार", 12], ["मंगलवार", 1234567.891]]))
      assert.strictEqual(text, "\ufeffदिन,calls\r\nसोमवार,12\r\nमंगलवार,1234567.891\r\n")
    }))

  it.effect("leaves null cells empty and quotes where needed", () =>
    Effect.gen(function*() {
      const rows = [[null, "a,b"], ["say \"hi\"", "two\nlines"], [true, ""]]
      assert.deepStrictEqual(yield* linesOf(["x", "y"], ...rows), [
        "x,y",
        ",\"a,b\"",
        "\"say \"\"hi\"\"\",\"two\nlines\"",
        "true,",
        ""
      ])
      assert.deepStrictEqual(yield* linesOf(["x"], [null]), ["x", "\"\"", ""])
    }))

  it.effect("prefixes formulas with an apostrophe, also in column names", () =>
    Effect.gen(function*() {
      const formulas = ["=1+1", "+cmd' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "＝1", "-"]
      for (const formula of formulas) {
        assert.deepStrictEqual(yield* linesOf([formula], [formula]), [`'${formula}`, `'${formula}`, ""])
      }
      assert.deepStrictEqual(yield* linesOf(["x"], ["\r=1"]), ["x", "\"'\r'=1\"", ""])
    }))

  it.effect("leaves numbers unchanged, also as text", () =>
    Effect.gen(function*() {
      const numbers = [-12, -0.5, "-12", "+919876543210", "-1.5e-7", 1e21]
      assert.deepStrictEqual(yield* linesOf(["x"], ...numbers.map((number) => [number])), [
        "x",
        ...numbers.map(String),
        ""
      ])
    }))

  it.effect.prop(
    "parses back to the same result, without formulas",
    [table],
    ([result]) =>
      Effect.gen(function*() {
        const { rows, text } = yield* csv(result)
        const [, ...read] = yield* parse(text)
        assert.strictEqual(rows, result.rows.length)
        const bareRead = read.map((row) => row.map(expectedText))
        assert.deepStrictEqual(bareRead, result.rows.map((row) => row.map(expectedText)))
        const safe = /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i
        for (const line of read.flat().flatMap((value) => value.split(/\r\n?|\n/))) {
          assert.isTrue(safe.test(line) || !/^[^\S\r\n\t]*[=+\-@\t]/.test(line), JSON.stringify(line))
        }
      })
  )

  it.effect.prop(
    "has whole rows and respects the byte limit",
    [table, FastCheck.integer({ min: 30, max: 200 })],
    ([result, maxBytes]) =>
      Effect.gen(function*() {
        const { bytes, rows, text } = yield* csv(result, maxBytes)
        assert.isAtMost(bytes, maxBytes)
        assert.strictEqual(text, (yield* csv({ ...result, rows: result.rows.slice(0, rows) })).text)
        if (rows < result.rows.length) {
          assert.isAbove((yield* csv({ ...result, rows: result.rows.slice(0, rows + 1) })).bytes, maxBytes)
        }
      })
  )

  it.effect("fits the largest result, and the mail notes when it exceeds 5 MB", () =>
    Effect.gen(function*() {
      const mail = yield* renderMail(reportOf(gridOf(10_000, 33)))
      assert.include(mail.text, "The attached file has 10,000 rows with every column.")
      const long = resultOf(["a"], Array.from({ length: 600 }, () => ["x".repeat(10_000)]))
      const cut = yield* renderMail(reportOf(long))
      assert.include(
        cut.text,
        "The attached file has the first 499 rows: with all of them it would be larger than 5 MB."
      )
      assert.isAtMost(cut.attachments[0]?.content.length ?? Infinity, 5_000_000)
    }))

  it.effect("gets a file name from the widget that is valid on every system", () =>
    Effect.gen(function*() {
      const names = {
        "Calls per day": "Calls per day.csv",
        "हर दिन की कॉल": "हर दिन की कॉल.csv",
        "../../etc/passwd": "-..-etc-passwd.csv",
        "a/b\\c:d*e?f\"g<h>i|j": "a-b-c-d-e-f-g-h-i-j.csv",
        "line\r\nbreak\u202ecod.exe": "line break cod.exe.csv",
        ".hidden. ": "hidden.csv",
        "CON": "report.csv",
        "": "report.csv",
        ["x".repeat(300)]: `${"x".repeat(79)}….csv`
      }
      for (const [widget_name, name] of Object.entries(names)) {
        const mail = yield* renderMail(reportOf(gridOf(1, 2), { widget_name }))
        assert.deepStrictEqual(mail.attachments.map(({ filename }) => filename), [name])
      }
    }))
})
