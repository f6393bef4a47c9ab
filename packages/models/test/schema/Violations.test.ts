import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { violations } from "@trunkline/models"
import { arbitraryInvalidSchema, conditionalSchema } from "@trunkline/models/testing"
import { FastCheck } from "effect"

type Schema = Readonly<Record<string, unknown>>

const obeys = (schema: Schema, ...values: ReadonlyArray<unknown>) => {
  for (const value of values) assert.deepStrictEqual(violations(schema, value), [])
}
const breaks = (schema: Schema, ...values: ReadonlyArray<unknown>) => {
  for (const value of values) assert.isNotEmpty(violations(schema, value))
}

const tree = { type: "object", properties: { left: { $ref: "#" }, right: { $ref: "#" } }, additionalProperties: false }

describe("violations", () => {
  it("have a path and a message", () => {
    const schema = { type: "object", properties: { city: { type: "array", items: { type: "string" } } } }
    assert.deepStrictEqual(
      violations(schema, { city: ["Pune", 1] }).at(-1),
      "#/city/1: Instance type \"number\" is invalid. Expected \"string\"."
    )
  })

  it("are found through references, also recursive ones", () => {
    obeys(tree, {}, { left: { right: {} } })
    breaks(tree, { left: { right: { up: {} } } })
    obeys({ $ref: "#/parts/a~1b", parts: { "a/b": { type: "null" } } }, null)
    breaks({ $ref: "#/parts/a~1b", parts: { "a/b": { type: "null" } } }, 1)
    breaks({ properties: { a: { minimum: 3 }, b: { $ref: "#/properties/a" } } }, { b: 2 })
  })

  it("are found for all keywords about values", () => {
    breaks({ const: { a: [1] } }, { a: [2] })
    breaks(conditionalSchema({ required: ["a"] }, { required: ["b"] }), { a: 1 })
    breaks({ dependentRequired: { a: ["b"] } }, { a: 1 })
    breaks({ prefixItems: [{ type: "string" }], items: false }, [1], ["a", 1])
    breaks({ contains: { type: "string" }, minContains: 2 }, ["a", 1])
    breaks({ uniqueItems: true }, [{ a: 1 }, { a: 1 }])
    breaks({ multipleOf: 0.01 }, 1.005)
    breaks({ patternProperties: { "^a": { type: "null" } }, additionalProperties: false }, { ab: 1 }, { b: null })
    breaks({ oneOf: [{ type: "integer" }, { minimum: 0 }] }, 1, -1.5)
  })

  it("are found in formats", () => {
    breaks({ format: "date" }, "2025-02-30")
    obeys({ format: "date" }, "2024-02-29", 1)
    breaks({ format: "email" }, "asha at example.com")
    obeys({ format: "nobody-knows" }, "x")
  })

  it("are found in patterns", () => {
    const email = { pattern: "^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$" }
    obeys(email, "asha@example.com")
    breaks(email, "asha@example")
    breaks({ pattern: "^(?:\\d{1,3}\\.){3}\\d{1,3}$" }, "1.2.3")
    breaks({ pattern: "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$" }, "abcdefgh")
    breaks({ propertyNames: { pattern: "^[a-z]+$" } }, { A: 1 })
  })

  it("are reported for values that are not JSON", () => {
    for (const value of [undefined, () => 1, 1n]) {
      assert.deepStrictEqual(violations({}, value), ["The value is no JSON value."])
    }
  })

  it("are at most 20, with short messages", () => {
    const schema = { anyOf: Array.from({ length: 50 }, () => ({ const: "x".repeat(10_000) })) }
    const faults = violations(schema, 1)
    assert.lengthOf(faults, 20)
    for (const one of faults) assert.isBelow(one.length, 1_000)
  })

  it("leave the schema as it is", () => {
    const schema = Object.freeze({ type: "object", properties: Object.freeze({ a: Object.freeze({ $ref: "#" }) }) })
    breaks(schema, { a: 1 })
    assert.deepStrictEqual(Object.getOwnPropertyNames(schema), ["type", "properties"])
  })

  it("ignore names of object members", () => {
    breaks({ $ref: "#/$defs/a", $defs: { a: { type: "null" } }, __absolute_ref__: "b", $recursiveAnchor: true }, 1)
    breaks({ properties: { ["__proto__"]: { type: "null" } } }, JSON.parse("{\"__proto__\":1}"))
  })
})

describe("no violations are reported", () => {
  it("for an unsupported schema", () => {
    obeys({ type: "text" }, 1)
    obeys({ $ref: "#" }, 1)
    obeys({ $ref: "https://example.com/a" }, 1)
    obeys({ type: "string", pattern: "(" }, 1)
  })

  it("for patterns that could take long, while the rest is checked", () => {
    const text = `${"a".repeat(100)}!`
    const patterns = [
      "^(a+)+$",
      "^(a|a)*$",
      "^(?:a?){50}a{50}$",
      "(a*)*b",
      "^(a)\\1$",
      "^((a{0,30}){0,30}){0,30}$",
      "((((a{1000}){1000}){1000}){1000})",
      "^(?:(?:){1000}){1000}b",
      "\\@"
    ]
    for (const pattern of patterns) {
      obeys({ pattern }, text)
      breaks({ pattern, maxLength: 5 }, text)
      obeys({ patternProperties: { [pattern]: false } }, { [text]: 1 })
    }
  })

  it("for patterns on texts that are too long", () => {
    breaks({ pattern: "a.*b.*c$" }, "a".repeat(20))
    obeys({ pattern: "a.*b.*c$" }, "a".repeat(200_000))
    breaks({ pattern: "^a*$" }, "b".repeat(200_000))
  })

  it("for nested branches that would not end", () => {
    const layers = Object.fromEntries(Array.from({ length: 60 }, (_, index) => {
      const next = index === 59 ? { type: "null" } : { $ref: `#/$defs/a${index + 1}` }
      return [`a${index}`, { anyOf: [next, next] }]
    }))
    obeys({ $ref: "#/$defs/a0", $defs: layers }, 1)
    breaks({ $ref: "#/$defs/a55", $defs: layers }, 1)
  })

  it("for values that are far too large", () => {
    let deep: unknown = {}
    for (let level = 0; level < 10_000; level++) deep = { left: deep }
    obeys(tree, deep)
    const list = Array.from({ length: 30_000 }, (_, index) => ({ index }))
    obeys({ uniqueItems: true, contains: { enum: list } }, [...list, ...list])
    obeys({ format: "url" }, `http://${"a".repeat(100)}!`)
  })
})

describe("the check of a value", () => {
  it("never throws", () => {
    FastCheck.assert(
      FastCheck.property(
        arbitraryInvalidSchema,
        FastCheck.anything(),
        (schema, value) => void violations(schema, value)
      ),
      { seed: 8, numRuns: propertyRuns(1_000) }
    )
  })
})
