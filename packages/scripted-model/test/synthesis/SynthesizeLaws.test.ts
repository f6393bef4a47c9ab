import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { schemaFault, violations } from "@trunkline/models"
import { arbitraryInvalidSchema, arbitrarySchema } from "@trunkline/models/testing"
import { synthesize } from "@trunkline/scripted-model"
import { FastCheck } from "effect"

const seeds = FastCheck.string({ maxLength: 3 })

/** Messages of users: with values, hostile ones and random characters. */
const messages: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom(
    "",
    "Book a flight from Pune to Delhi on 2025-01-31 for 3 people",
    "amount 4,500.50, kind of a, is open",
    "mail asha@example.com or call +91 98765 43210",
    "yes \"as said\" 'so'",
    "10:30 am तीन दिन"
  ),
  FastCheck.string({ unit: "binary", maxLength: 50 })
)

/** A JSON value whose objects have their fields in the reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).toReversed().map(([name, inner]) => [name, reversed(inner)]))
}

const reversedSchema = (schema: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(schema).toReversed().map(([name, inner]) => [name, reversed(inner)])
  )

describe("a synthesized value", () => {
  it("satisfies its schema", () => {
    FastCheck.assert(
      FastCheck.property(arbitrarySchema, seeds, messages, (schema, seed, words) => {
        assert.isNull(schemaFault(schema))
        const value = synthesize(schema, { seed, text: words })
        assert.deepStrictEqual(violations(schema, value), [], JSON.stringify(value))
      }),
      { seed: 1, numRuns: propertyRuns(300) }
    )
  })

  it("is deterministic, for any order of the fields of the schema", () => {
    FastCheck.assert(
      FastCheck.property(arbitrarySchema, seeds, messages, (schema, seed, words) => {
        const value = synthesize(schema, { seed, text: words })
        assert.deepStrictEqual(synthesize(schema, { seed, text: words }), value)
        assert.deepStrictEqual(synthesize(reversedSchema(schema), { seed, text: words }), value)
      }),
      { seed: 2, numRuns: propertyRuns(200) }
    )
  })

  it("is JSON, for any schema", () => {
    FastCheck.assert(
      FastCheck.property(arbitraryInvalidSchema, seeds, messages, (schema, seed, words) => {
        const value = synthesize(schema, { seed, text: words })
        assert.deepStrictEqual(JSON.parse(JSON.stringify(value)), value)
        violations(schema, value)
      }),
      { seed: 3, numRuns: propertyRuns(300) }
    )
  })
})
