import { assert, describe, it } from "@effect/vitest"
import { violations } from "@trunkline/models"
import { conditionalSchema } from "@trunkline/models/testing"
import { synthesize } from "@trunkline/scripted-model"

type Schema = Readonly<Record<string, unknown>>

const seeds = Array.from({ length: 20 }, (_, index) => `seed ${index}`)

/** The values of twenty seeds, each of which must obey the schema. */
const madeOf = (schema: Schema): ReadonlyArray<unknown> =>
  seeds.map((seed) => {
    const value = synthesize(schema, { seed })
    assert.deepStrictEqual(violations(schema, value), [], JSON.stringify(value))
    return value
  })

const others = (values: ReadonlyArray<unknown>) => new Set(values.map((value) => JSON.stringify(value))).size

describe("a synthesized value", () => {
  it("differs from seed to seed", () => {
    assert.isAbove(others(madeOf({ type: "integer", minimum: 1, maximum: 1_000 })), 10)
    assert.isAbove(others(madeOf({ enum: ["a", "b", "c", "d"] })), 2)
    assert.isAbove(others(madeOf({ type: "string", format: "date" })), 10)
    assert.isAbove(others(madeOf({ type: "string", pattern: "^[a-z]{8}$" })), 10)
    assert.isAbove(others(madeOf({ anyOf: [{ const: 1 }, { const: 2 }, { const: 3 }] })), 1)
  })

  it("is the default or example of the schema if it is valid", () => {
    assert.deepStrictEqual(others(madeOf({ type: "string", default: "Pune" })), 1)
    assert.strictEqual(synthesize({ type: "string", default: "Pune" }, { seed: "" }), "Pune")
    assert.strictEqual(synthesize({ type: "string", default: 1, examples: [2, "Delhi"] }, { seed: "" }), "Delhi")
    madeOf({ type: "integer", default: "none", examples: [1.5] })
  })

  it("has the required properties in the order of the schema", () => {
    const properties = { b: { type: "null" }, c: { type: "null" }, a: { type: "null" } }
    const value = synthesize({ type: "object", properties, required: ["a", "b"] }, { seed: "" })
    assert.strictEqual(JSON.stringify(value), "{\"b\":null,\"a\":null}")
  })

  it("is not null if possible", () => {
    for (const value of madeOf({ anyOf: [{ type: "null" }, { type: "string" }] })) assert.isString(value)
    for (const value of madeOf({ type: ["null", "integer"] })) assert.isNumber(value)
  })

  it("is finite for a recursive schema", () => {
    const expression = {
      anyOf: [
        { type: "object", properties: { left: { $ref: "#" }, right: { $ref: "#" } }, required: ["left", "right"] },
        { type: "number" }
      ]
    }
    madeOf(expression)
    madeOf({
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
      required: ["name", "children"]
    })
  })

  it("satisfies two schemas that exclude each other's properties", () => {
    madeOf({
      allOf: [
        { properties: { a: { type: "integer" }, b: true }, additionalProperties: false, required: ["a"] },
        { properties: { a: { minimum: 5 } }, patternProperties: { "^b": { type: "string" } }, required: ["b"] }
      ]
    })
  })

  it("fits exactly one of several branches", () => {
    madeOf({ oneOf: [{ type: "integer", multipleOf: 2 }, { type: "integer", multipleOf: 3 }] })
    madeOf({
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }]
    })
  })

  it("satisfies one branch of a condition", () => {
    madeOf({
      type: "object",
      properties: { country: { enum: ["IN", "US"] } },
      required: ["country"],
      ...conditionalSchema(
        { properties: { country: { const: "US" } } },
        { properties: { zip: { type: "string", pattern: "^\\d{5}$" } }, required: ["zip"] },
        { properties: { pin: { type: "string", pattern: "^[1-9]\\d{5}$" } }, required: ["pin"] }
      )
    })
  })

  it("has unique items as far as possible", () => {
    madeOf({ type: "array", uniqueItems: true, minItems: 3, items: { enum: ["a", "b", "c"] } })
    madeOf({ type: "array", uniqueItems: true, minItems: 60, items: { type: "string" } })
    madeOf({ type: "array", uniqueItems: true, minItems: 2, items: { type: "boolean" } })
    madeOf({
      type: "array",
      uniqueItems: true,
      minItems: 5,
      items: { type: "object", properties: { id: { type: "string", format: "uuid" } }, required: ["id"] }
    })
  })

  it("respects maxContains", () => {
    madeOf({
      type: "array",
      minItems: 4,
      contains: { const: 1 },
      minContains: 1,
      maxContains: 2,
      items: { enum: [1, 2] }
    })
  })

  it("is an exact multiple", () => {
    madeOf({ type: "number", multipleOf: 0.1, exclusiveMinimum: 0.2, exclusiveMaximum: 0.4 })
    madeOf({ type: "number", multipleOf: 1e-7, minimum: 0.3, maximum: 0.300_000_1 })
    madeOf({ type: "integer", multipleOf: 0.5, exclusiveMinimum: 3, maximum: 4 })
    madeOf({ type: "integer", minimum: 1e15, maximum: 1e15 + 1 })
    madeOf({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1e-9 })
    madeOf({ allOf: [{ multipleOf: 6 }, { multipleOf: 4 }], type: "integer", minimum: 13, maximum: 30 })
  })

  it("matches patterns", () => {
    const patterns = [
      "^\\+91[6-9]\\d{9}$",
      "^[A-Z]{5}\\d{4}[A-Z]$",
      "^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}1$",
      "^(\\w{3})-\\1$",
      "^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#]).{8,}$",
      "^[^a-zA-Z0-9\\s]$",
      "^\\p{Script=Devanagari}{3}$",
      "\\bfoo\\b",
      "^$",
      "[\\u4e00-\\u4e10]"
    ]
    for (const pattern of patterns) {
      for (const value of madeOf({ type: "string", pattern })) assert.match(String(value), new RegExp(pattern, "u"))
    }
  })

  it("has the required length beside a pattern", () => {
    madeOf({ type: "string", pattern: "^[a-z]+-[a-z]+$", minLength: 20, maxLength: 20 })
    madeOf({ type: "string", pattern: "^a", minLength: 10, maxLength: 12 })
    madeOf({ type: "string", minLength: 4_000 })
    madeOf({ type: "string", maxLength: 0 })
  })
})

const deep = (levels: number, wrap: (inner: Schema) => Schema): Schema => {
  let schema: Schema = { type: "string" }
  for (let level = 0; level < levels; level++) schema = wrap(schema)
  return schema
}

const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))
const fields = (count: number, schema: unknown) =>
  Object.fromEntries(many(count, (index) => [`field_${index}`, schema]))

const layers = (last: unknown): Schema => ({
  $ref: "#/$defs/a0",
  $defs: {
    ...Object.fromEntries(
      many(60, (index) => [`a${index}`, { anyOf: many(2, () => ({ $ref: `#/$defs/a${index + 1}` })) }])
    ),
    a60: last
  }
})

/** Schemas that ask for what cannot be, or for far too much. */
const hostile: Readonly<Record<string, Schema>> = {
  "a list without end": { type: "array", items: { type: "string" }, minItems: 1e9 },
  "lists of lists without end": deep(5, (items) => ({ type: "array", items, minItems: 1e9 })),
  "different things without end": {
    type: "array",
    uniqueItems: true,
    items: { type: "object", minProperties: 3 },
    minItems: 1e9
  },
  "a text without end": { type: "string", minLength: 1e9 },
  "a pattern without end": { type: "string", pattern: "((((a{1000}){1000}){1000}){1000})" },
  "a pattern that nothing fits": { type: "string", pattern: "^[a-z]{1,}\\b-(?!)$", minLength: 1e9 },
  "properties without end": { type: "object", minProperties: 1e9 },
  "patterns of properties": {
    type: "object",
    minProperties: 1e9,
    patternProperties: Object.fromEntries(many(1_000, (index) => [`^a{${index}}$`, {}])),
    additionalProperties: false
  },
  "what must be within itself": {
    type: "object",
    properties: { a: { $ref: "#" }, b: { $ref: "#" }, c: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } },
    required: ["a", "b", "c"]
  },
  "branches of branches": layers({ type: "string" }),
  "branches that lead nowhere": layers({ not: {} }),
  "a circle of references": { anyOf: [{ $ref: "#" }, { $ref: "#" }] },
  "thousands of levels": deep(5_000, (a) => ({ type: "object", properties: { a }, required: ["a"] })),
  "thousands of branches in each other": deep(5_000, (inner) => ({ anyOf: [inner, inner] })),
  "thousands of branches": { anyOf: many(3_000, (index) => ({ properties: { a: { const: index } }, not: {} })) },
  "thousands of parts": {
    allOf: many(1_000, (index) => ({ properties: { [`a${index}`]: { type: "string" } }, required: [`a${index}`] }))
  },
  "thousands of properties": {
    type: "object",
    properties: fields(6_000, { type: "string" }),
    required: Object.keys(fields(6_000, 0))
  },
  "a list of thousands of properties": {
    type: "array",
    minItems: 500,
    items: { type: "object", properties: fields(6_000, { type: "string" }) }
  },
  "a list of thousands of values": {
    type: "array",
    minItems: 500,
    items: { enum: many(18_000, (index) => `value ${index}`) }
  },
  "patterns that write nothing": {
    type: "object",
    properties: fields(3_000, { type: "string", pattern: "(?:a?){9999}$b" }),
    required: Object.keys(fields(3_000, 0))
  },
  "thousands of values": {
    type: "object",
    properties: fields(3, { enum: many(6_000, (index) => `value ${index}`) }),
    required: ["field_0"]
  },
  "no number": { type: "number", minimum: 5, maximum: 4, multipleOf: 1e-300 },
  "huge numbers": { type: "integer", minimum: 1e308, multipleOf: 7e-200 },
  "nothing at all": { not: {}, type: "object", properties: { a: false }, required: ["a"] }
}

const words = "Book a flight from Pune to Delhi on 2025-01-31 for 3 people at 10:30 with amount 4,500, asha@example.com"

describe("a limited value is synthesized for a schema with", () => {
  for (const [name, schema] of Object.entries(hostile)) {
    it(`${name}`, () => {
      const value = synthesize(schema, { seed: "1", text: words })
      assert.isBelow(JSON.stringify(value).length, 200_000)
      assert.deepStrictEqual(synthesize(schema, { seed: "1", text: words }), value)
    })
  }

  it("a property with endless text", () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, amount: { type: "number" } },
      required: ["city"]
    }
    for (const unit of ["a", " ", "1,", "A ", "\"", "'", "@a.", "1-", "\ud83d", "in ", "city "]) {
      assert.isBelow(JSON.stringify(synthesize(schema, { seed: "1", text: unit.repeat(500_000) })).length, 10_000)
    }
  })
})
