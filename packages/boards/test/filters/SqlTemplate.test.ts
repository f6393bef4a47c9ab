import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { checkStatement, tokenize } from "@trunkline/warehouse"
import { Either, FastCheck } from "effect"
import { type BoundFilter, parseTemplate } from "../../src/filters/SqlTemplate.js"
import { compile, valueOrCode } from "./Fixtures.js"

const text = (value: string): BoundFilter => ({ type: "string", binding: { _tag: "Scalar", value } })
const list = (...items: ReadonlyArray<string | number>): BoundFilter => ({
  type: "list",
  binding: { _tag: "List", items }
})
const nothing: BoundFilter = { type: "string", binding: null }
const june: BoundFilter = {
  type: "date_range",
  binding: { _tag: "Range", start: "from", end: "until", last: "last" }
}

/** Compiled SQL with normalized white space. */
const normalizeSpace = (sql: string, bound: Readonly<Record<string, BoundFilter>> = {}) => {
  const result = valueOrCode(compile(sql, bound))
  return typeof result === "string"
    ? result
    : [result.text.replace(/\s+/g, " ").trim(), ...result.parameters]
}

describe("parseTemplate", () => {
  it("reports used filters in order of first use, and which are required", () => {
    const template = Either.getOrThrow(
      parseTemplate("SELECT {{b}} [[ WHERE x = {{a}} AND y > {{d.start}} ]] OR z = {{c}} OR {{b}} [[ + {{c}} ]]")
    )
    assert.deepStrictEqual(template.names, ["b", "a", "d", "c"])
    assert.deepStrictEqual(template.required, ["b", "c"])
    assert.deepStrictEqual(template.ranges, ["d"])
    assert.isTrue(template.optional)
    assert.isFalse(Either.getOrThrow(parseTemplate("SELECT 1")).optional)
  })

  it("accepts names of object properties as filter names", () => {
    const template = Either.getOrThrow(parseTemplate("SELECT {{constructor}}, {{__proto__}}, {{ toString }}"))
    assert.deepStrictEqual(template.names, ["constructor", "__proto__", "toString"])
    assert.strictEqual(normalizeSpace("SELECT {{constructor}}"), "MISSING_FILTER_VALUE")
  })

  for (
    const sql of [
      "SELECT {{bad name}}",
      "SELECT {{}}",
      "SELECT {{1a}}",
      "SELECT {{a-b}}",
      "SELECT {{a.middle}}",
      "SELECT {{a.start.end}}",
      `SELECT {{${"a".repeat(65)}}}`,
      "SELECT {{'a'}}",
      "SELECT {{a",
      "SELECT {{a -- }}",
      "SELECT a}}",
      "SELECT {{{{a}}}}",
      "SELECT 1 [[ AND {{a}}",
      "SELECT 1 ]]",
      "SELECT 1 [[ AND [[ x = {{a}} ]] ]]",
      "SELECT 1 [[ -- ]]",
      "SELECT 'open {{a}}",
      "SELECT \"open",
      "SELECT [open",
      "SELECT `open",
      "SELECT ?",
      "SELECT ?1",
      "SELECT :a",
      "SELECT @a",
      "SELECT $a"
    ]
  ) {
    it(`rejects ${sql}`, () => {
      assert.strictEqual(valueOrCode(Either.map(parseTemplate(sql), () => "taken")), "INVALID_SQL")
    })
  }

  it("rejects a filter token inside quotes", () => {
    for (const quoted of ["'%{{a}}%'", "\"{{a}}\"", "[{{a}}]", "`{{ a }}`", "'{{a.start}}'", "x'{{a}}'"]) {
      assert.strictEqual(
        valueOrCode(Either.map(parseTemplate(`SELECT ${quoted} = {{a}}`), () => "taken")),
        "INVALID_SQL"
      )
      assert.strictEqual(
        valueOrCode(Either.map(parseTemplate(`SELECT ${quoted}`, ["a"]), () => "taken")),
        "INVALID_SQL",
        "declared"
      )
    }
  })

  it("treats token-like text inside quotes as text when no filter has that name", () => {
    assert.deepStrictEqual(normalizeSpace("SELECT '{{x}} [[ ]] ?', \"[[\", '$[0]', 'it''s {{y}}'"), [
      "SELECT '{{x}} [[ ]] ?', \"[[\", '$[0]', 'it''s {{y}}'"
    ])
  })

  it("removes comments with their content", () => {
    assert.deepStrictEqual(normalizeSpace("SELECT 1 -- {{a}} ]] '\n, 2 /* [[ {{bad name}} */ , 3"), [
      "SELECT 1 , 2 , 3"
    ])
    assert.deepStrictEqual(normalizeSpace("SELECT 4-/**/-1"), ["SELECT 4- -1"])
  })

  it("reads [[ as a clause where SQLite would see a quoted name, and [name] as a name", () => {
    assert.deepStrictEqual(normalizeSpace("SELECT [a b] [[, [c] = {{a}}]] FROM t", { a: text("v") }), [
      "SELECT [a b] , [c] = ? FROM t",
      "v"
    ])
    assert.deepStrictEqual(normalizeSpace("SELECT 1 [[[a b] = {{a}}]]"), ["SELECT 1"])
  })

  it("parses long SQL in linear time", () => {
    const template = Either.getOrThrow(parseTemplate(`SELECT ${"{{a}},".repeat(50_000)}1`))
    assert.deepStrictEqual(template.names, ["a"])
    assert.strictEqual(template.parts.length, 100_003)
  })
})

describe("compileTemplate", () => {
  it("binds a parameter for each token in order", () => {
    assert.deepStrictEqual(normalizeSpace("SELECT {{b}} WHERE x={{a}} OR y={{b}}", { a: text("1"), b: text("2") }), [
      "SELECT ? WHERE x= ? OR y= ?",
      "2",
      "1",
      "2"
    ])
  })

  it("rejects too many values before expanding them", () => {
    const list = {
      type: "list",
      binding: { _tag: "List", items: Array.from({ length: 1_000 }, (_, index) => index) }
    } as const
    const inLists = (times: number) => compile(`SELECT ${"1 IN ({{p}}),".repeat(times)}1`, { p: list })
    assert.strictEqual(Either.getOrThrow(inLists(32)).parameters.length, 32_000)
    assert.strictEqual(valueOrCode(inLists(33)), "RESOURCE_LIMIT")
    assert.strictEqual(valueOrCode(inLists(20_000)), "RESOURCE_LIMIT")
  })

  it("keeps placeholders separate from adjacent text", () => {
    assert.deepStrictEqual(normalizeSpace("SELECT {{a}}1{{a}}", { a: text("x") }), ["SELECT ? 1 ?", "x", "x"])
    assert.deepStrictEqual(normalizeSpace("SELECT 4 -[[ {{a}} ]]- 1"), ["SELECT 4 - - 1"])
  })

  it("drops an optional clause when one of its filters is missing or null", () => {
    const sql = "SELECT 1 WHERE 1=1 [[AND x = {{a}} AND y = {{b}}]] [[AND z = {{b}}]]"
    assert.deepStrictEqual(normalizeSpace(sql), ["SELECT 1 WHERE 1=1"])
    assert.deepStrictEqual(normalizeSpace(sql, { b: text("v") }), ["SELECT 1 WHERE 1=1 AND z = ?", "v"])
    assert.deepStrictEqual(normalizeSpace(sql, { a: nothing, b: text("v") }), ["SELECT 1 WHERE 1=1 AND z = ?", "v"])
    assert.deepStrictEqual(normalizeSpace(sql, { a: text("u"), b: text("v") }), [
      "SELECT 1 WHERE 1=1 AND x = ? AND y = ? AND z = ?",
      "u",
      "v",
      "v"
    ])
  })

  it("keeps an optional clause for an empty, zero or empty-list value", () => {
    assert.deepStrictEqual(normalizeSpace("SELECT 1 [[+ {{a}}]]", { a: text("") }), ["SELECT 1 + ?", ""])
    assert.deepStrictEqual(
      normalizeSpace("SELECT 1 [[+ {{a}}]]", { a: { type: "number", binding: { _tag: "Scalar", value: 0 } } }),
      ["SELECT 1 + ?", 0]
    )
    assert.deepStrictEqual(normalizeSpace("SELECT 1 [[WHERE x IN ({{a}})]]", { a: list() }), [
      "SELECT 1 WHERE x IN ( SELECT NULL WHERE 1=0 )"
    ])
  })

  it("requires a value outside optional clauses, and binds NULL for an explicit null", () => {
    assert.strictEqual(normalizeSpace("SELECT {{a}} [[ {{a}} ]]"), "MISSING_FILTER_VALUE")
    assert.deepStrictEqual(normalizeSpace("SELECT {{a}} IS NULL OR x = {{a}}", { a: nothing }), [
      "SELECT ? IS NULL OR x = ?",
      null,
      null
    ])
  })

  it("binds a range as its start and exclusive end, and as its first and last millisecond for BETWEEN", () => {
    assert.deepStrictEqual(normalizeSpace("t >= {{d.start}} AND t < {{d.end}}", { d: june }), [
      "t >= ? AND t < ?",
      "from",
      "until"
    ])
    assert.deepStrictEqual(normalizeSpace("t BETWEEN {{d}}", { d: june }), ["t BETWEEN ? AND ?", "from", "last"])
    const none: BoundFilter = { type: "date_range", binding: null }
    assert.deepStrictEqual(normalizeSpace("t BETWEEN {{d}}", { d: none }), ["t BETWEEN ? AND ?", null, null])
    assert.deepStrictEqual(normalizeSpace("{{d.start}}", { d: none }), ["?", null])
  })

  it("rejects the start of a filter that is not a range", () => {
    assert.strictEqual(normalizeSpace("SELECT {{a.start}}", { a: text("x") }), "INVALID_SQL")
    assert.strictEqual(normalizeSpace("SELECT {{a.end}}", { a: nothing }), "INVALID_SQL")
  })

  it("binds each item of a list", () => {
    assert.deepStrictEqual(normalizeSpace("x IN ({{l}})", { l: list("a", "b", "c") }), [
      "x IN ( ?,?,? )",
      "a",
      "b",
      "c"
    ])
  })

  const anyText = FastCheck.string({ unit: "grapheme", maxLength: 30 })
  const hostile = FastCheck.oneof(anyText, FastCheck.constantFrom("'; DROP TABLE x --", "{{a}}", "]]", "?", "/*", "\""))

  it.prop(
    "produces the same text for any values, and binds the values unchanged",
    [hostile, hostile],
    ([a, b]) => {
      const sql = "SELECT {{a}} [[ WHERE x = {{b}} ]] -- {{a}}"
      const statement = Either.getOrThrow(compile(sql, { a: text(a), b: text(b) }))
      assert.strictEqual(statement.text, Either.getOrThrow(compile(sql, { a: text("a"), b: text("b") })).text)
      assert.deepStrictEqual(statement.parameters, [a, b])
    }
  )

  const pieces = FastCheck.constantFrom(
    "{{a}}",
    "{{b}}",
    "[[",
    "]]",
    "'",
    "\"",
    "[x]",
    "--",
    "\n",
    "/*",
    "*/",
    "-",
    "?",
    "1",
    "x",
    " ",
    "(",
    ")",
    "{{",
    "}}"
  )

  it.prop(
    "produces as many placeholders as parameters, as SQLite counts them",
    [FastCheck.array(pieces, { maxLength: 16 })],
    ([parts]) => {
      const statement = compile(parts.join(""), { a: text("v"), b: nothing })
      if (Either.isLeft(statement)) return
      const placeholders = tokenize(statement.right.text).filter(({ kind }) => kind === "parameter")
      assert.deepStrictEqual(
        placeholders.map((placeholder) => placeholder.text),
        statement.right.parameters.map(() => "?")
      )
    },
    { fastCheck: { numRuns: propertyRuns(2_000) } }
  )

  it("produces statements that the warehouse accepts", () => {
    const sql =
      "SELECT count(*) FROM EngagementFactsBoardsView WHERE app_id IN ({{l}}) [[AND effective_datetime BETWEEN {{d}}]]"
    for (const l of [list(), list("a", "b")]) {
      const { parameters, text } = Either.getOrThrow(compile(sql, { l, d: june }))
      assert.isTrue(Either.isRight(checkStatement(text, parameters.length)))
    }
  })
})
