import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { jsonGrammar } from "../src/grammar/JsonGrammar.js"
import { makeMatcher } from "./Gbnf.js"

/** Looks which JSON texts a schema's grammar lets through. */
const assertTakes = (
  schema: unknown,
  { never, takes }: { readonly takes: ReadonlyArray<string>; readonly never: ReadonlyArray<string> }
) => {
  const { text, tooLarge, unenforced: unkept } = jsonGrammar(schema)
  assert.deepStrictEqual([...unkept], [])
  assert.isFalse(tooLarge)
  const matches = makeMatcher(text)
  for (const json of takes) {
    assert.isNotNull(JSON.parse(json) === undefined ? null : json)
    assert.isTrue(matches(json), `${json} should obey`)
  }
  for (const json of never) assert.isFalse(matches(json), `${json} should not obey`)
}

const person = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 }, "a \"b\"": { type: "null" } },
  required: ["age"]
}

describe("the grammar of a schema", () => {
  it("allows any JSON for an empty schema", () => {
    for (const schema of [true, {}, { description: "Whatever" }]) {
      assertTakes(schema, {
        takes: ["null", "-0.5e+3", `"\\n\\"é👋"`, `[1, [], {"a":{"b":true}}]`],
        never: ["", "nul", "01", `"\n"`, `"\\u0041"`, "[1,]", "{1:2}", `{"a":1}x`]
      })
    }
  })

  it("has properties in their order, and omits optional ones only", () => {
    assertTakes(person, {
      takes: [
        `{"age":3}`,
        `{"name":"x","age":3}`,
        `{"age": 3, "a \\"b\\"": null}`,
        `{"name":"","age":0,"a \\"b\\"":null}`
      ],
      never: ["{}", `{"name":"x"}`, `{"age":3,"name":"x"}`, `{"age":-1}`, `{"age":3,"b":1}`, `{"name":1,"age":3}`]
    })
    assertTakes({ properties: { a: {}, b: {} } }, {
      takes: ["{}", `{"a":1}`, `{"b":1}`, `{"a":1,"b":1}`],
      never: [`{"a":1,}`, `{,"b":1}`, `{"a":1"b":1}`, `{"c":1}`]
    })
    assertTakes({ type: "object", required: ["x"], additionalProperties: { type: "boolean" } }, {
      takes: [`{"x":true}`],
      never: ["{}", `{"x":1}`]
    })
  })

  it("has free property names only if none is declared", () => {
    assertTakes({ type: "object", additionalProperties: { type: "integer" }, minProperties: 1, maxProperties: 2 }, {
      takes: [`{"a":1}`, `{"a":1,"b":2}`],
      never: ["{}", `{"a":"1"}`, `{"a":1,"b":2,"c":3}`]
    })
    assertTakes({ type: "object", properties: {} }, { takes: ["{}"], never: [`{"a":1}`] })
    assertTakes({ type: "object", additionalProperties: false }, { takes: ["{}"], never: [`{"a":1}`] })
    assertTakes({ type: "object" }, { takes: ["{}", `{"a":[]}`], never: ["[]", "null"] })
  })

  it("respects the limits of items", () => {
    assertTakes({ type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 3 }, {
      takes: ["[true]", "[true, false,true]"],
      never: ["[]", "[1]", "[true,true,true,true]"]
    })
    assertTakes({ prefixItems: [{ const: 1 }, { const: "two" }], items: { type: "null" }, maxItems: 3 }, {
      takes: [`[1,"two"]`, `[1,"two",null]`],
      never: ["[1]", `["two",1]`, `[1,"two",null,null]`]
    })
    assertTakes({ type: "array", prefixItems: [{ type: "null" }], items: false }, {
      takes: ["[null]"],
      never: ["[null,1]"]
    })
    assertTakes({ type: "array", maxItems: 0 }, { takes: ["[]"], never: ["[1]"] })
  })

  it("respects the limits of text length in characters", () => {
    assertTakes({ type: "string", minLength: 2, maxLength: 3 }, {
      takes: [`"ab"`, `"👋👋👋"`, `"\\n\\"a"`],
      never: [`"a"`, `"abcd"`]
    })
    assertTakes({ type: "string", maxLength: 0 }, { takes: [`""`], never: [`"a"`] })
  })

  it("has valid dates, times and UUIDs", () => {
    assertTakes({ type: "string", format: "date" }, {
      takes: [`"2026-01-31"`, `"2026-02-28"`, `"1999-11-30"`],
      never: [`"2026-02-30"`, `"2026-04-31"`, `"2026-13-01"`, `"2026-00-10"`, `"26-01-01"`]
    })
    assertTakes({ type: "string", format: "date-time" }, {
      takes: [`"2026-07-01T23:59:59Z"`, `"2026-07-01T00:00:00.125+05:30"`],
      never: [`"2026-07-01T24:00:00Z"`, `"2026-07-01T10:60:00Z"`, `"2026-07-01 10:00:00Z"`, `"2026-07-01T10:00:00"`]
    })
    assertTakes({ type: "string", format: "uuid" }, {
      takes: [`"0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"`],
      never: [`"0190a1b2c3d47e5f8a9b0c1d2e3f4a5b"`]
    })
  })

  it("has the listed values of the named types", () => {
    assertTakes({ enum: ["a", 1, null, { b: [true] }] }, {
      takes: [`"a"`, "1", "null", `{"b":[true]}`],
      never: [`"b"`, "11", "{}"]
    })
    assertTakes({ type: "string", enum: ["a", null] }, { takes: [`"a"`], never: ["null"] })
    assertTakes({ type: ["string", "null"] }, { takes: [`"a"`, "null"], never: ["1"] })
    assertTakes({ const: "\\\"\n" }, { takes: [JSON.stringify("\\\"\n")], never: [`"x"`] })
  })

  it("has alternatives combined with common keywords", () => {
    assertTakes({ anyOf: [{ type: "integer" }, { type: "null" }] }, { takes: ["1", "null"], never: ["1.5"] })
    const shape = {
      type: "object",
      properties: { kind: { type: "string" } },
      required: ["kind"],
      oneOf: [
        { properties: { kind: { const: "dot" } } },
        { properties: { kind: { const: "line" }, length: { type: "integer" } }, required: ["length"] }
      ]
    }
    assertTakes(shape, {
      takes: [`{"kind":"dot"}`, `{"kind":"line","length":3}`],
      never: [`{"kind":"dot","length":3}`, `{"kind":"line"}`, `{"kind":"other"}`]
    })
  })

  it("combines allOf", () => {
    assertTakes({
      allOf: [{ type: "object", properties: { a: { type: "number" } } }, { required: ["a"] }, {
        properties: { a: { type: "integer", maximum: 9 } }
      }]
    }, { takes: [`{"a":9}`], never: ["{}", `{"a":1.5}`, `{"a":10}`] })
    assertTakes({ allOf: [{ enum: [1, 2, 3] }, { enum: [2, 3, 4] }] }, { takes: ["2", "3"], never: ["1", "4"] })
    assertTakes({ allOf: [{ type: "string", minLength: 1, maxLength: 9 }, { minLength: 2, maxLength: 3 }] }, {
      takes: [`"ab"`],
      never: [`"a"`, `"abcd"`]
    })
  })

  it("follows references, also recursive ones", () => {
    const tree = {
      $ref: "#/$defs/no~1de",
      $defs: {
        "no/de": {
          type: "object",
          properties: { next: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
          required: ["next"]
        }
      }
    }
    assertTakes(tree, {
      takes: [`{"next":null}`, `{"next":{"next":{"next":null}}}`],
      never: ["{}", `{"next":1}`, `{"next":{"next":{}}}`]
    })
    assertTakes({
      definitions: { n: { type: "integer" } },
      items: { $ref: "#/definitions/n", minimum: 2 },
      type: "array"
    }, {
      takes: ["[2]"],
      never: ["[1]"]
    })
  })

  const ends = FastCheck.tuple(FastCheck.integer({ min: -2_000, max: 2_000 }), FastCheck.nat(700))
  it.prop("respects the bounds of integers", [ends], ([[least, size]]) => {
    const matches = makeMatcher(
      jsonGrammar({ type: "integer", minimum: least, exclusiveMaximum: least + size + 1 }).text
    )
    for (
      const value of [least - 1, least, least + 1, least + size, least + size + 1, least + size + 10, 0, -1, 999, 1_000]
    ) {
      assert.strictEqual(
        matches(String(value)),
        value >= least && value <= least + size,
        `${value} in ${least} + ${size}`
      )
    }
    assert.isFalse(matches("1.5") || matches("1e3") || matches("01"))
  })

  it.prop("respects integer bounds of numbers", [ends, FastCheck.double({ min: -2_700, max: 2_700, noNaN: true })], (
    [[least, size], value]
  ) => {
    const text = value.toFixed(3)
    const isWithin = Number(text) >= least && Number(text) <= least + size
    const matches = makeMatcher(jsonGrammar({ type: "number", minimum: least, maximum: least + size }).text)
    const isWholeEnd = Number(text) === least + size || Number(text) === least
    if (!isWholeEnd) assert.strictEqual(matches(text), isWithin, `${text} in ${least} + ${size}`)
    assert.isTrue(matches(String(least)) && matches(String(least + size)))
  })

  it("lists unsupported keywords", () => {
    const unkept = (schema: unknown) => [...jsonGrammar(schema).unenforced]
    assert.deepStrictEqual(unkept({ type: "string", pattern: "^a" }), ["pattern"])
    assert.deepStrictEqual(unkept({ type: "string", format: "email" }), ["format"])
    assert.deepStrictEqual(unkept({ type: "array", uniqueItems: true }), ["uniqueItems"])
    assert.deepStrictEqual(unkept({ type: "number", multipleOf: 2 }), ["multipleOf"])
    assert.deepStrictEqual(unkept({ type: "number", exclusiveMinimum: 0 }), ["exclusiveMinimum"])
    assert.deepStrictEqual(unkept({ type: "number", minimum: 0.5 }), ["minimum"])
    assert.deepStrictEqual(unkept({ properties: { a: { not: {} } } }), ["not"])
    assert.deepStrictEqual(unkept({ $ref: "https://example.com/schema" }), ["$ref"])
    assert.deepStrictEqual(unkept({ anyOf: [{ $ref: "#" }, { type: "null" }] }), ["$ref"])
    assert.deepStrictEqual(unkept(false), ["false"])
    assert.deepStrictEqual(unkept({ type: "string", minLength: 3_000 }), ["minLength"])
    assert.deepStrictEqual(unkept({ type: "integer", minimum: 3, maximum: 2 }), ["minimum"])
    assert.deepStrictEqual(unkept({ type: "object", properties: { a: {} }, minProperties: 1 }), ["minProperties"])
  })

  it("does not exceed the repetitions that llama.cpp supports", () => {
    assert.include(jsonGrammar({ type: "string", maxLength: 5_000 }).text, "char{0,2000}")
  })

  it("rejects schemas that expand to very large grammars", () => {
    const levels = Array.from({ length: 40 }, (_, level) => level)
    const levelled = (schemaOf: (next: { readonly $ref: string }) => unknown) => ({
      $ref: "#/$defs/l0",
      $defs: Object.fromEntries(levels.map((level) => [`l${level}`, schemaOf({ $ref: `#/$defs/l${level + 1}` })]))
    })
    const schemas = [
      levels.concat(levels).reduce<object>((schema) => ({ items: schema }), {}),
      { properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, {}])) },
      { enum: ["x".repeat(300_000)] },
      levelled((next) => ({ allOf: [next, next] })),
      levelled((next) => ({ minLength: 1, anyOf: [next, next] })),
      levelled((next) => ({ properties: { a: { ...next, minLength: 1 }, b: { ...next, maxLength: 9 } } }))
    ]
    for (const schema of schemas) assert.isTrue(jsonGrammar(schema).tooLarge)
  })
})
