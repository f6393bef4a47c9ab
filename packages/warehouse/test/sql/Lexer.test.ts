import { assert, describe, it } from "@effect/vitest"
import { isMeant, lex, placeOf, unquoted } from "@trunkline/warehouse"
import { FastCheck } from "effect"

const pieces = (sql: string, marks = false) =>
  lex(sql, { marks }).filter(({ kind }) => kind !== "space").map(({ closed, kind, text }) =>
    `${kind} ${text}${closed ? "" : " (open)"}`
  )

describe("the pieces of SQL", () => {
  it("are texts, blobs and quoted names with their quotes doubled inside", () => {
    assert.deepStrictEqual(pieces("'a''b' '' x'00Ff' \"a\"\"b\" `a``b` [a \"b] X''"), [
      "string 'a''b'",
      "string ''",
      "blob x'00Ff'",
      "quoted \"a\"\"b\"",
      "quoted `a``b`",
      "quoted [a \"b]",
      "blob X''"
    ])
  })

  it("run to the end where they are never closed", () => {
    assert.deepStrictEqual(pieces("1 'a''"), ["number 1", "string 'a'' (open)"])
    assert.deepStrictEqual(pieces("'"), ["string ' (open)"])
    assert.deepStrictEqual(pieces("'''"), ["string ''' (open)"])
    assert.deepStrictEqual(pieces("\"a -- b"), ["quoted \"a -- b (open)"])
    assert.deepStrictEqual(pieces("[a ' b"), ["quoted [a ' b (open)"])
    assert.deepStrictEqual(pieces("1 /* a * / '"), ["number 1", "comment /* a * / ' (open)"])
    assert.deepStrictEqual(pieces("/*/ 1"), ["comment /*/ 1 (open)"])
    assert.deepStrictEqual(pieces("/*/ "), ["comment /*/  (open)"])
  })

  it("are comments of both kinds, which do not nest, and of a line only to its end", () => {
    assert.deepStrictEqual(pieces("1--'a\r;\n2"), ["number 1", "comment --'a\r;", "number 2"])
    assert.deepStrictEqual(pieces("/**/1/* /* */2"), ["comment /**/", "number 1", "comment /* /* */", "number 2"])
    assert.deepStrictEqual(pieces("1 /*"), ["number 1", "operator /", "operator *"])
  })

  it("are numbers as SQLite reads them, and no numbers where a letter follows", () => {
    assert.deepStrictEqual(
      pieces("1 1. .5 1.5e-3 1e5 0x1F 1_000 1..2"),
      ["1", "1.", ".5", "1.5e-3", "1e5", "0x1F", "1_000", "1.", ".2"].map((number) => `number ${number}`)
    )
    assert.deepStrictEqual(
      pieces("12abc 0xg 1é x'0' x'zz"),
      ["12abc", "0xg", "1é", "x'0'", "x'zz"].map((wrong) => `illegal ${wrong}`)
    )
  })

  it("are placeholders of every kind", () => {
    assert.deepStrictEqual(pieces("? ?12 :a @b $c::d(e f"), [
      ...["?", "?12", ":a", "@b"].map((name) => `parameter ${name}`),
      "illegal $c::d(e",
      "name f"
    ])
    assert.deepStrictEqual(pieces("::: $:: @"), ["illegal :::", "illegal $::", "illegal @"])
    assert.deepStrictEqual(pieces("$c(d)::x ?? a$b"), [
      "parameter $c(d)",
      "illegal :",
      "parameter :x",
      "parameter ?",
      "parameter ?",
      "name a$b"
    ])
  })

  it("are operators, the longest first", () => {
    assert.deepStrictEqual(
      pieces("a->>b->c||d<>e!=f==g<=h>=i<<j>>k").filter((piece) => piece.startsWith("operator")),
      ["->>", "->", "||", "<>", "!=", "==", "<=", ">=", "<<", ">>"].map((operator) => `operator ${operator}`)
    )
    assert.deepStrictEqual(pieces("! ^ \\ { ] #"), ["!", "^", "\\", "{", "]", "#"].map((wrong) => `illegal ${wrong}`))
  })

  it("are names of any script", () => {
    assert.deepStrictEqual(
      pieces("कॉल _a é1 \u00a0x 📞"),
      ["कॉल", "_a", "é1", "\u00a0x", "📞"].map((name) => `name ${name}`)
    )
  })

  it("are space: also a byte order mark, and a vertical tab after other space alone", () => {
    assert.deepStrictEqual(lex("\ufeff \t\v\n1\v").map(({ kind }) => kind), ["space", "space", "number", "illegal"])
  })

  it("know how many parentheses are open around them, those in quotes and comments not counted", () => {
    const depths = lex("a(b'('(c)/*)*/)d)e(").filter(isMeant).map(({ depth, text }) => `${text}${depth}`)
    assert.deepStrictEqual(depths, ["a0", "(0", "b1", "'('1", "(1", "c2", ")1", ")0", "d0", ")-1", "e-1", "(-1"])
  })

  it("are marks where asked for, outside of quotes and comments", () => {
    assert.deepStrictEqual(pieces("a [[AND [b]]]] = {{c}} '{{d}}' -- ]]", true), [
      "name a",
      "mark [[",
      "name AND",
      "quoted [b]",
      "mark ]]",
      "illegal ]",
      "operator =",
      "mark {{",
      "name c",
      "mark }}",
      "string '{{d}}'",
      "comment -- ]]"
    ])
    assert.deepStrictEqual(pieces("[[a] {{"), ["quoted [[a]", "illegal {", "illegal {"])
  })

  it("together are the SQL, whatever it is", () => {
    const parts = [
      "'",
      "\"",
      "`",
      "[",
      "]",
      "--",
      "/*",
      "*/",
      "\n",
      " ",
      "x'",
      "0",
      "e1",
      "$a(",
      ")",
      "?",
      ":",
      "{{",
      "}}",
      "é"
    ]
    const sql = FastCheck.array(FastCheck.oneof(FastCheck.constantFrom(...parts), FastCheck.string()))
      .map((texts) => texts.join(""))
    FastCheck.assert(FastCheck.property(sql, FastCheck.boolean(), (text, marks) => {
      let end = 0
      for (const token of lex(text, { marks })) {
        assert.strictEqual(token.start, end)
        assert.isNotEmpty(token.text)
        end += token.text.length
      }
      assert.strictEqual(end, text.length)
    }))
  })

  it("are each found by reading it once, however long and strange", () => {
    const strange = ["'", "''x", "x'x", "$a(", "$a::", "1e", "1_", "[[", "::", "--", "\"\"\"", "$::", "/*"]
    for (const part of strange) {
      const tokens = lex(part.repeat(Math.floor(200_000 / part.length)))
      assert.isAtMost(tokens.length, 67_000, part)
    }
  })
})

describe("names and places", () => {
  it("are read without quotes", () => {
    const names = lex("a \"b\"\"c\" [d\"e] `f``g` 'h''i'").filter(isMeant).map(unquoted)
    assert.deepStrictEqual(names, ["a", "b\"c", "d\"e", "f`g", "h'i"])
  })

  it("are told by line and column", () => {
    assert.strictEqual(placeOf("a\nbc\n d", 6), "line 3, column 2")
    assert.strictEqual(placeOf("a", 0), "line 1, column 1")
  })
})
