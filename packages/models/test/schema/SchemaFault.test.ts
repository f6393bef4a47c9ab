import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { schemaFault } from "@trunkline/models"
import { arbitraryInvalidSchema, arbitrarySchema } from "@trunkline/models/testing"
import { FastCheck } from "effect"

const nested = (levels: number): unknown => {
  let schema: unknown = {}
  for (let level = 1; level < levels; level++) schema = { not: schema }
  return schema
}

const faulty = (schema: unknown, part: string) => assert.include(schemaFault(schema) ?? "", part)
const right = (schema: unknown) => assert.isNull(schemaFault(schema))

describe("a supported schema", () => {
  it("may be empty or have annotations only", () => {
    right({})
    right({ title: 1, description: null, "x-order": [], $schema: "https://json-schema.org/draft/2020-12/schema" })
  })

  it("may have every type, and several types", () => {
    for (const type of ["array", "boolean", "integer", "null", "number", "object", "string"]) right({ type })
    right({ type: ["string", "null"] })
  })

  it("may refer to its own parts, also recursively through values", () => {
    right({ $ref: "#/$defs/a", $defs: { a: { type: "array", items: { $ref: "#" } } } })
    right({ properties: { "a/b~c d": {}, e: { $ref: "#/properties/a~1b~0c%20d" } } })
    right({ anyOf: [{ type: "null" }, { items: { $ref: "#/anyOf/0" } }] })
    right({ definitions: { a: true }, $ref: "#/definitions/a" })
  })

  it("may use the keywords of draft 7", () => {
    right({ dependencies: { a: ["b"], b: { required: ["c"] } }, items: [{}, true], additionalItems: false })
  })

  it("may have patterns of other regular expression engines", () => {
    right({ pattern: "^[\\w\\-\\_@]+\\@example\\.com$" })
  })

  it("may have 64 levels and 20,000 values", () => {
    right(nested(64))
    right({ examples: Array.from({ length: 19_998 }, () => 1) })
  })

  it("is accepted, for any generated schema", () => {
    FastCheck.assert(FastCheck.property(arbitrarySchema, (schema) => right(schema)), {
      seed: 4,
      numRuns: propertyRuns(200)
    })
  })
})

describe("an unsupported schema", () => {
  it("is not an object", () => {
    for (const schema of [undefined, null, true, 1, "{}", [], () => ({})]) faulty(schema, "an object")
  })

  it("has an unknown type", () => {
    for (const type of ["text", "", 1, null, [], ["string", "any"], {}]) faulty({ type }, "one or more of array")
    faulty({ properties: { a: { items: { type: "int" } } } }, "\"type\"")
  })

  it("has keyword values of the wrong type", () => {
    const bad: Readonly<Record<string, ReadonlyArray<unknown>>> = {
      properties: [[], null, { a: 1 }, { a: null }],
      items: [1, "string", null, [1]],
      anyOf: [[], {}, [null], "x"],
      not: [null, []],
      enum: [[], {}, "a"],
      required: [true, "a", [1], {}],
      minLength: [-1, 1.5, "1", null],
      multipleOf: [0, -1, "1"],
      exclusiveMinimum: [true],
      maximum: ["1", null],
      uniqueItems: ["yes", 1],
      pattern: ["(", "[z-a]", 1, "a".repeat(5_001)],
      patternProperties: [{ "(": {} }, { a: 1 }],
      format: [1],
      $ref: [1],
      dependentRequired: [{ a: "b" }, { a: [1] }],
      dependencies: [{ a: 1 }]
    }
    for (const [keyword, values] of Object.entries(bad)) {
      for (const value of values) faulty({ [keyword]: value }, keyword)
    }
  })

  it("has an unresolvable or external reference", () => {
    const bad = [
      "#/$defs/b",
      "#anchor",
      "https://example.com/schema",
      "other.json#/a",
      "#/__proto__",
      "#/%",
      "#/type",
      ""
    ]
    for (const $ref of bad) faulty({ type: "object", $ref, $defs: { a: {} } }, "\"$ref\"")
  })

  it("has references that form a loop without a value between", () => {
    faulty({ $ref: "#" }, "leads back")
    faulty({
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { anyOf: [{ type: "null" }, { $ref: "#/$defs/a" }] } }
    }, "leads back")
    faulty({ $ref: "#/x", x: { allOf: [{ not: { $ref: "#/y" } }] }, y: { if: { $ref: "#/x" } } }, "leads back")
  })

  it("has a fault in the target of a reference", () => {
    faulty({ $ref: "#/parts/a", parts: { a: { type: "text" } } }, "\"type\"")
  })

  it("is too deep or too large", () => {
    faulty(nested(65), "64 levels")
    faulty(nested(100_000), "64 levels")
    faulty({ examples: Array.from({ length: 20_000 }, () => 1) }, "20000 values")
  })

  it("has a short message", () => {
    assert.isBelow(schemaFault({ $ref: "x".repeat(1_000_000) })?.length ?? 0, 200)
  })
})

describe("the check of a schema", () => {
  it("never throws", () => {
    FastCheck.assert(FastCheck.property(arbitraryInvalidSchema, (schema) => void schemaFault(schema)), {
      seed: 6,
      numRuns: propertyRuns(1_000)
    })
    FastCheck.assert(FastCheck.property(FastCheck.anything(), (any) => void schemaFault(any)), {
      seed: 7,
      numRuns: propertyRuns(500)
    })
  })

  it("does not visit the same part twice", () => {
    const layers = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `a${index}`,
        index === 0 ? {} : { allOf: [{ $ref: `#/$defs/a${index - 1}` }, { $ref: `#/$defs/a${index - 1}` }] }
      ])
    )
    right({ $ref: "#/$defs/a1999", $defs: layers })
  })
})
