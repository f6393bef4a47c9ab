import { assert, describe, it } from "@effect/vitest"
import { type BoundFilter, parseTemplate } from "@trunkline/boards"
import { propertyRuns } from "@trunkline/kernel/testing"
import { checkStatement, lex } from "@trunkline/warehouse"
import { Either, FastCheck } from "effect"
import { compiled, outcome } from "./fixtures.js"

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

/** SQL without the spaces that do not matter. */
const squeezed = (sql: string, bound: Readonly<Record<string, BoundFilter>> = {}) => {
  const result = outcome(compiled(sql, bound))
  return typeof result === "string"
    ? result
    : [result.text.replace(/\s+/g, " ").trim(), ...result.parameters]
}

describe("parseTemplate", () => {
  it("tells which filters SQL uses, in the order of their first use, and which of them it cannot do without", () => {
    const template = Either.getOrThrow(
      parseTemplate("SELECT {{b}} [[ WHERE x = {{a}} AND y > {{d.start}} ]] OR z = {{c}} OR {{b}} [[ + {{c}} ]]")
    )
    assert.deepStrictEqual(template.names, ["b", "a", "d", "c"])
    assert.deepStrictEqual(template.required, ["b", "c"])
    assert.deepStrictEqual(template.ranges, ["d"])
    assert.isTrue(template.optional)
    assert.isFalse(Either.getOrThrow(parseTemplate("SELECT 1")).optional)
  })

  it("takes names of objects' own furniture for what they are: names", () => {
    const template = Either.getOrThrow(parseTemplate("SELECT {{constructor}}, {{__proto__}}, {{ toString }}"))
    assert.deepStrictEqual(template.names, ["constructor", "__proto__", "toString"])
    assert.strictEqual(squeezed("SELECT {{constructor}}"), "MISSING_FILTER_VALUE")
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
    it(`refuses ${sql}`, () => {
      assert.strictEqual(outcome(Either.map(parseTemplate(sql), () => "taken")), "INVALID_SQL")
    })
  }

  it("refuses a filter's token inside quotes, where it would only be text", () => {
    for (const quoted of ["'%{{a}}%'", "\"{{a}}\"", "[{{a}}]", "`{{ a }}`", "'{{a.start}}'", "x'{{a}}'"]) {
      assert.strictEqual(outcome(Either.map(parseTemplate(`SELECT ${quoted} = {{a}}`), () => "taken")), "INVALID_SQL")
      assert.strictEqual(
        outcome(Either.map(parseTemplate(`SELECT ${quoted}`, ["a"]), () => "taken")),
        "INVALID_SQL",
        "declared"
      )
    }
  })

  it("takes what looks like a token of nobody's inside quotes for text", () => {
    assert.deepStrictEqual(squeezed("SELECT '{{x}} [[ ]] ?', \"[[\", '$[0]', 'it''s {{y}}'"), [
      "SELECT '{{x}} [[ ]] ?', \"[[\", '$[0]', 'it''s {{y}}'"
    ])
  })

  it("drops comments, with whatever is in them", () => {
    assert.deepStrictEqual(squeezed("SELECT 1 -- {{a}} ]] '\n, 2 /* [[ {{bad name}} */ , 3"), ["SELECT 1 , 2 , 3"])
    assert.deepStrictEqual(squeezed("SELECT 4-/**/-1"), ["SELECT 4- -1"])
  })

  it("takes [[ for a clause where SQLite would see a quoted name, and [name] for a name", () => {
    assert.deepStrictEqual(squeezed("SELECT [a b] [[, [c] = {{a}}]] FROM t", { a: text("v") }), [
      "SELECT [a b] , [c] = ? FROM t",
      "v"
    ])
    assert.deepStrictEqual(squeezed("SELECT 1 [[[a b] = {{a}}]]"), ["SELECT 1"])
  })

  it("reads long SQL in a time that grows with its length alone", () => {
    const template = Either.getOrThrow(parseTemplate(`SELECT ${"{{a}},".repeat(50_000)}1`))
    assert.deepStrictEqual(template.names, ["a"])
    assert.strictEqual(template.parts.length, 100_003)
  })
})

describe("compileTemplate", () => {
  it("binds a parameter for each token, in their order", () => {
    assert.deepStrictEqual(squeezed("SELECT {{b}} WHERE x={{a}} OR y={{b}}", { a: text("1"), b: text("2") }), [
      "SELECT ? WHERE x= ? OR y= ?",
      "2",
      "1",
      "2"
    ])
  })

  it("refuses more values than a statement takes, before it writes them out", () => {
    const list = {
      type: "list",
      binding: { _tag: "List", items: Array.from({ length: 1_000 }, (_, index) => index) }
    } as const
    const inLists = (times: number) => compiled(`SELECT ${"1 IN ({{p}}),".repeat(times)}1`, { p: list })
    assert.strictEqual(Either.getOrThrow(inLists(32)).parameters.length, 32_000)
    assert.strictEqual(outcome(inLists(33)), "RESOURCE_LIMIT")
    assert.strictEqual(outcome(inLists(20_000)), "RESOURCE_LIMIT")
  })

  it("does not let a token grow together with what is beside it", () => {
    assert.deepStrictEqual(squeezed("SELECT {{a}}1{{a}}", { a: text("x") }), ["SELECT ? 1 ?", "x", "x"])
    assert.deepStrictEqual(squeezed("SELECT 4 -[[ {{a}} ]]- 1"), ["SELECT 4 - - 1"])
  })

  it("drops an optional clause when one of its filters has no value, not given or given as null", () => {
    const sql = "SELECT 1 WHERE 1=1 [[AND x = {{a}} AND y = {{b}}]] [[AND z = {{b}}]]"
    assert.deepStrictEqual(squeezed(sql), ["SELECT 1 WHERE 1=1"])
    assert.deepStrictEqual(squeezed(sql, { b: text("v") }), ["SELECT 1 WHERE 1=1 AND z = ?", "v"])
    assert.deepStrictEqual(squeezed(sql, { a: nothing, b: text("v") }), ["SELECT 1 WHERE 1=1 AND z = ?", "v"])
    assert.deepStrictEqual(squeezed(sql, { a: text("u"), b: text("v") }), [
      "SELECT 1 WHERE 1=1 AND x = ? AND y = ? AND z = ?",
      "u",
      "v",
      "v"
    ])
  })

  it("keeps an optional clause for a value that is empty, zero or a list of nothing", () => {
    assert.deepStrictEqual(squeezed("SELECT 1 [[+ {{a}}]]", { a: text("") }), ["SELECT 1 + ?", ""])
    assert.deepStrictEqual(
      squeezed("SELECT 1 [[+ {{a}}]]", { a: { type: "number", binding: { _tag: "Scalar", value: 0 } } }),
      ["SELECT 1 + ?", 0]
    )
    assert.deepStrictEqual(squeezed("SELECT 1 [[WHERE x IN ({{a}})]]", { a: list() }), [
      "SELECT 1 WHERE x IN ( SELECT NULL WHERE 1=0 )"
    ])
  })

  it("needs a value outside of optional clauses, and binds NULL where no value was said on purpose", () => {
    assert.strictEqual(squeezed("SELECT {{a}} [[ {{a}} ]]"), "MISSING_FILTER_VALUE")
    assert.deepStrictEqual(squeezed("SELECT {{a}} IS NULL OR x = {{a}}", { a: nothing }), [
      "SELECT ? IS NULL OR x = ?",
      null,
      null
    ])
  })

  it("binds a range as its start and its exclusive end, and for BETWEEN as its first and last moment", () => {
    assert.deepStrictEqual(squeezed("t >= {{d.start}} AND t < {{d.end}}", { d: june }), [
      "t >= ? AND t < ?",
      "from",
      "until"
    ])
    assert.deepStrictEqual(squeezed("t BETWEEN {{d}}", { d: june }), ["t BETWEEN ? AND ?", "from", "last"])
    const none: BoundFilter = { type: "date_range", binding: null }
    assert.deepStrictEqual(squeezed("t BETWEEN {{d}}", { d: none }), ["t BETWEEN ? AND ?", null, null])
    assert.deepStrictEqual(squeezed("{{d.start}}", { d: none }), ["?", null])
  })

  it("refuses the start of what is no range", () => {
    assert.strictEqual(squeezed("SELECT {{a.start}}", { a: text("x") }), "INVALID_SQL")
    assert.strictEqual(squeezed("SELECT {{a.end}}", { a: nothing }), "INVALID_SQL")
  })

  it("binds each item of a list", () => {
    assert.deepStrictEqual(squeezed("x IN ({{l}})", { l: list("a", "b", "c") }), ["x IN ( ?,?,? )", "a", "b", "c"])
  })

  const anyText = FastCheck.string({ unit: "grapheme", maxLength: 30 })
  const hostile = FastCheck.oneof(anyText, FastCheck.constantFrom("'; DROP TABLE x --", "{{a}}", "]]", "?", "/*", "\""))

  it.prop(
    "the text is the same whatever the values are, and they come back as they were",
    [hostile, hostile],
    ([a, b]) => {
      const sql = "SELECT {{a}} [[ WHERE x = {{b}} ]] -- {{a}}"
      const statement = Either.getOrThrow(compiled(sql, { a: text(a), b: text(b) }))
      assert.strictEqual(statement.text, Either.getOrThrow(compiled(sql, { a: text("a"), b: text("b") })).text)
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
    "whatever is taken has exactly as many placeholders as parameters, as SQLite sees it",
    [FastCheck.array(pieces, { maxLength: 16 })],
    ([parts]) => {
      const statement = compiled(parts.join(""), { a: text("v"), b: nothing })
      if (Either.isLeft(statement)) return
      const placeholders = lex(statement.right.text).filter(({ kind }) => kind === "parameter")
      assert.deepStrictEqual(
        placeholders.map((placeholder) => placeholder.text),
        statement.right.parameters.map(() => "?")
      )
    },
    { fastCheck: { numRuns: propertyRuns(2_000) } }
  )

  it("makes statements that the warehouse takes", () => {
    const sql =
      "SELECT count(*) FROM EngagementFactsBoardsView WHERE app_id IN ({{l}}) [[AND effective_datetime BETWEEN {{d}}]]"
    for (const l of [list(), list("a", "b")]) {
      const { parameters, text } = Either.getOrThrow(compiled(sql, { l, d: june }))
      assert.isTrue(Either.isRight(checkStatement(text, parameters.length)))
    }
  })
})
