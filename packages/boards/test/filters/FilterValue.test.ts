import { assert, describe, it } from "@effect/vitest"
import type { FilterInput, FilterType } from "@trunkline/boards"
import { DateTime, Either, FastCheck, Option } from "effect"
import { parseFilterValue, parseMoment } from "../../src/filters/FilterValue.js"
import { filter, valueOrCode } from "./Fixtures.js"

/** After midnight in India, the previous day in UTC. */
const now = DateTime.unsafeMake("2026-02-28T20:00:00Z").epochMillis

const read = (type: FilterType, value: FilterInput, options: ReadonlyArray<string> = []) =>
  valueOrCode(parseFilterValue(filter(type, { options }), value, now))
const bound = (type: FilterType, value: FilterInput, options?: ReadonlyArray<string>): unknown => {
  const result = read(type, value, options)
  return typeof result === "string" ? result : result.binding
}
const scalar = (value: string | number | bigint) => ({ _tag: "Scalar", value })
const bad = "INVALID_FILTER_VALUE"

describe("parseFilterValue", () => {
  it("accepts null for every type as no value", () => {
    for (const type of ["string", "number", "boolean", "dropdown", "date", "date_range", "list"] as const) {
      assert.deepStrictEqual(read(type, null), { binding: null, text: null })
    }
  })

  it("accepts texts up to 4 KB in UTF-8", () => {
    assert.deepStrictEqual(read("string", "hello"), { binding: { _tag: "Scalar", value: "hello" }, text: "hello" })
    assert.deepStrictEqual(bound("string", ""), scalar(""))
    assert.deepStrictEqual(bound("string", "x".repeat(4096)), scalar("x".repeat(4096)))
    assert.strictEqual(bound("string", "x".repeat(4097)), bad)
    assert.strictEqual(bound("string", "न".repeat(1366)), bad)
    assert.strictEqual(bound("string", 1), bad)
    assert.strictEqual(bound("string", true), bad)
    assert.strictEqual(bound("string", ["x"]), bad)
  })

  it("accepts only the options of a dropdown, or any text when it has none", () => {
    assert.deepStrictEqual(bound("dropdown", "red", ["red", "blue"]), scalar("red"))
    assert.strictEqual(bound("dropdown", "Red", ["red", "blue"]), bad)
    assert.deepStrictEqual(bound("dropdown", "anything"), scalar("anything"))
  })

  it("accepts finite decimal numbers as numbers and as text", () => {
    for (const [input, figure] of [[5, 5], ["5", 5], ["-1.50", -1.5], ["+2", 2], [".5", 0.5], ["1e3", 1000]] as const) {
      assert.deepStrictEqual(bound("number", input), scalar(figure))
    }
    assert.deepStrictEqual(read("number", "007.0"), { binding: { _tag: "Scalar", value: 7 }, text: "7" })
    assert.deepStrictEqual(read("number", -0), read("number", "0"))
    for (const input of ["", " 1", "1 ", "0x10", "Infinity", "NaN", "1e999", "1,5", Infinity, NaN, true, [1]]) {
      assert.strictEqual(bound("number", input), bad, String(input))
    }
  })

  it("keeps whole numbers of 64 bits exact, as text and in lists", () => {
    for (
      const [input, exact] of [
        ["9007199254740993", 9007199254740993n],
        ["-9007199254740993", -9007199254740993n],
        ["+009007199254740993.00", 9007199254740993n],
        ["9223372036854775807", 9223372036854775807n],
        ["-9223372036854775808", -9223372036854775808n]
      ] as const
    ) {
      assert.deepStrictEqual(read("number", input), {
        binding: { _tag: "Scalar", value: exact },
        text: String(exact)
      })
    }
    assert.deepStrictEqual(bound("number", "9007199254740991"), scalar(Number.MAX_SAFE_INTEGER))
    assert.deepStrictEqual(bound("number", "9223372036854775808"), scalar(2 ** 63))
    assert.deepStrictEqual(bound("number", "9007199254740993.5"), scalar(9007199254740994))
    assert.deepStrictEqual(read("list", ` [ 1, 9007199254740993,-2.5e0 ] `), {
      binding: { _tag: "List", items: [1, 9007199254740993n, -2.5] },
      text: "[1,9007199254740993,-2.5]"
    })
    assert.deepStrictEqual(bound("list", `["[9007199254740993, \\"", "true"]`), {
      _tag: "List",
      items: [`[9007199254740993, "`, "true"]
    })
  })

  it("takes the text of a whole number beyond 2^53 in a list as the text and as the number, as results write it", () => {
    assert.deepStrictEqual(read("list", ["9007199254740993"]), {
      binding: { _tag: "List", items: ["9007199254740993", 9007199254740993n] },
      text: `["9007199254740993"]`
    })
    assert.deepStrictEqual(bound("list", [5, "-9007199254740993"]), {
      _tag: "List",
      items: [5, "-9007199254740993", -9007199254740993n]
    })
    assert.deepStrictEqual(bound("list", `["a","9007199254740993"]`), {
      _tag: "List",
      items: ["a", "9007199254740993", 9007199254740993n]
    })
    for (const text of ["9007199254740991", "09007199254740993", "9007199254740993.0", "9223372036854775808"]) {
      assert.deepStrictEqual(bound("list", [text]), { _tag: "List", items: [text] })
      assert.strictEqual(bound("list", [5, text]), bad, text)
    }
    for (const input of [[true, "9007199254740993"], [5, "a", "9007199254740993"]]) {
      assert.strictEqual(bound("list", input), bad)
    }
  })

  it("rejects a JSON number that may have been rounded, and says how to send it", () => {
    for (const input of [2 ** 53, -(2 ** 53), 2 ** 63 - 1024]) {
      assert.strictEqual(bound("number", input), bad)
      assert.strictEqual(bound("list", [1, input]), bad)
      const { message } = Either.getOrThrow(Either.flip(parseFilterValue(filter("number"), input, now)))
      assert.match(message, /as text/)
    }
    for (const input of [2 ** 53 - 1, 1e300, 2 ** 63]) assert.deepStrictEqual(bound("number", input), scalar(input))
  })

  it("accepts true and false and binds 1 and 0", () => {
    assert.deepStrictEqual(read("boolean", true), { binding: { _tag: "Scalar", value: 1 }, text: "true" })
    assert.deepStrictEqual(read("boolean", "true"), read("boolean", true))
    assert.deepStrictEqual(read("boolean", "false"), { binding: { _tag: "Scalar", value: 0 }, text: "false" })
    for (const input of ["TRUE", "1", 1, 0, ""]) assert.strictEqual(bound("boolean", input), bad)
  })

  it("reads a day as its start in India", () => {
    assert.deepStrictEqual(read("date", "2026-03-01"), {
      binding: { _tag: "Scalar", value: "2026-02-28T18:30:00.000Z" },
      text: "2026-03-01"
    })
    for (const input of ["2026-02-29", "2026-3-1", "01-03-2026", "2026-13-01", "", "tomorrow", 20260301]) {
      assert.strictEqual(bound("date", input), bad, String(input))
    }
  })

  it("reads a timestamp with its offset, or in UTC without one", () => {
    assert.deepStrictEqual(bound("date", "2026-03-01T09:30:00+05:30"), scalar("2026-03-01T04:00:00.000Z"))
    assert.deepStrictEqual(bound("date", "2026-03-01T09:30:00.1239"), scalar("2026-03-01T09:30:00.123Z"))
    assert.strictEqual(bound("date", "2026-03-01T24:00:00Z"), bad)
  })

  it("resolves relative days at now in India", () => {
    const days = {
      "today": "2026-03-01",
      "today-7d": "2026-02-22",
      "today+1d": "2026-03-02",
      "month_start": "2026-03-01"
    }
    for (const [input, day] of Object.entries(days)) assert.deepStrictEqual(read("date", input), read("date", day))
    assert.deepStrictEqual(
      valueOrCode(
        parseFilterValue(filter("date"), "month_start", DateTime.unsafeMake("2026-03-31T18:29:59.999Z").epochMillis)
      ),
      read("date", "2026-03-01")
    )
    for (const input of ["today-7", "today 7d", "Today", "today-12345d", "month_start-1d"]) {
      assert.strictEqual(bound("date", input), bad, input)
    }
  })

  it("reads a range of days up to the midnight after its last day, and its last millisecond for BETWEEN", () => {
    const june = { start: "2026-06-01", end: "2026-06-30" }
    assert.deepStrictEqual(read("date_range", june), {
      binding: {
        _tag: "Range",
        start: "2026-05-31T18:30:00.000Z",
        end: "2026-06-30T18:30:00.000Z",
        last: "2026-06-30T18:29:59.999Z"
      },
      text: `{"start":"2026-06-01","end":"2026-06-30"}`
    })
    assert.deepStrictEqual(read("date_range", JSON.stringify(june)), read("date_range", june))
    assert.deepStrictEqual(
      read("date_range", { start: "today-7d", end: "today" }),
      read("date_range", { start: "2026-02-22", end: "2026-03-01" })
    )
  })

  it("reads a range of timestamps unchanged", () => {
    assert.deepStrictEqual(bound("date_range", { start: "2026-06-01T00:00:00Z", end: "2026-06-01T12:00:00Z" }), {
      _tag: "Range",
      start: "2026-06-01T00:00:00.000Z",
      end: "2026-06-01T12:00:00.000Z",
      last: "2026-06-01T12:00:00.000Z"
    })
    for (
      const input of ["2026-06-01", "{}", "[]", `{"start":"today"}`, { start: "today", end: "" }, ["today", "today"]]
    ) {
      assert.strictEqual(bound("date_range", input), bad, JSON.stringify(input))
    }
  })

  it("accepts lists of up to 1,000 values of one type, as lists and as JSON", () => {
    assert.deepStrictEqual(bound("list", ["a", "b"]), { _tag: "List", items: ["a", "b"] })
    assert.deepStrictEqual(read("list", `[1, 2.50]`), { binding: { _tag: "List", items: [1, 2.5] }, text: "[1,2.5]" })
    assert.deepStrictEqual(read("list", [true, false]), {
      binding: { _tag: "List", items: [1, 0] },
      text: "[true,false]"
    })
    assert.deepStrictEqual(bound("list", []), { _tag: "List", items: [] })
    assert.notStrictEqual(bound("list", Array.from({ length: 1_000 }, String)), bad)
    const refused: ReadonlyArray<FilterInput> = [
      Array.from({ length: 1_001 }, String),
      [1, "1"],
      [Infinity],
      ["x".repeat(4097)],
      "a,b",
      `["a"`,
      `[null]`,
      `[["a"]]`,
      "a",
      1
    ]
    for (const input of refused) assert.strictEqual(bound("list", input), bad)
  })

  it("states what a value should be without repeating it", () => {
    const failure = Either.flip(parseFilterValue(filter("number"), "secret-91", now))
    assert.strictEqual(Either.getOrThrow(failure).message, "A value of a (number) must be a finite decimal number")
  })

  const moments = FastCheck.oneof(
    FastCheck.constantFrom(
      "today",
      "today-400d",
      "today+9999d",
      "month_start",
      "2024-02-29",
      "2026-01-01T00:00:00+05:30"
    ),
    FastCheck.date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString())
  )
  const double = FastCheck.double({ noNaN: true, noDefaultInfinity: true })
    .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number) || Math.abs(number) >= 2 ** 63)
  const values: FastCheck.Arbitrary<readonly [FilterType, FilterInput]> = FastCheck.oneof(
    FastCheck.tuple(FastCheck.constant("string" as const), FastCheck.string({ unit: "grapheme", maxLength: 40 })),
    FastCheck.tuple(
      FastCheck.constant("number" as const),
      FastCheck.oneof(double, FastCheck.integer().map(String), FastCheck.bigInt().map(String))
    ),
    FastCheck.tuple(FastCheck.constant("boolean" as const), FastCheck.boolean()),
    FastCheck.tuple(FastCheck.constant("date" as const), moments),
    FastCheck.tuple(FastCheck.constant("date_range" as const), FastCheck.record({ start: moments, end: moments })),
    FastCheck.tuple(
      FastCheck.constant("list" as const),
      FastCheck.oneof(
        FastCheck.array(FastCheck.string({ unit: "grapheme" })),
        FastCheck.array(double),
        FastCheck.array(FastCheck.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 50 }).map((items) =>
          `[${items.join()}]`
        )
      )
    )
  )

  it.prop("canonical text parses to the same value on any later day", [values, FastCheck.nat(4e12)], (
    [[type, value], later]
  ) => {
    const first = Either.getOrThrow(parseFilterValue(filter(type), value, now))
    assert.deepStrictEqual(Either.getOrThrow(parseFilterValue(filter(type), first.text, later)), first)
  })

  it.prop("time texts sort chronologically", [moments, moments], ([a, b]) => {
    const startOf = (input: string) => Option.getOrThrow(parseMoment(input, now)).start
    const [first, second] = [startOf(a), startOf(b)]
    assert.strictEqual(first < second, DateTime.unsafeMake(first).epochMillis < DateTime.unsafeMake(second).epochMillis)
  })
})
