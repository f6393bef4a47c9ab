import { assert, describe, it } from "@effect/vitest"
import { withReadOnly } from "@trunkline/kernel"
import { Either, JSONSchema, ParseResult, Schema } from "effect"

const Body = withReadOnly(
  Schema.Struct({ name: Schema.optional(Schema.String), position: Schema.optional(Schema.NullOr(Schema.Int)) }),
  ["id", "name", "created_at"]
)

const decode = Schema.decodeUnknownEither(Body, { errors: "all", onExcessProperty: "error" })

const pathsOf = (body: unknown) =>
  Either.match(decode(body), {
    onLeft: (error) => ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => path.join(".")),
    onRight: () => []
  })

describe("a body with read-only fields", () => {
  it("takes a whole record, and holds only what can be changed", () =>
    assert.deepStrictEqual(
      Either.getOrNull(decode({ id: 5, created_at: null, name: "a", position: 2 })),
      { name: "a", position: 2 }
    ))

  it("checks the fields that it has itself, and refuses unknown ones", () =>
    assert.deepStrictEqual(Array.from(new Set(pathsOf({ id: 1, name: 3, position: 1.5, identity: 1 }))), [
      "identity",
      "name",
      "position"
    ]))

  it("is described with them", () => {
    const { additionalProperties, properties } = JSON.parse(JSON.stringify(JSONSchema.make(Body)))
    assert.deepStrictEqual([properties.id.readOnly, properties.created_at.readOnly], [true, true])
    assert.deepInclude(properties.name, { type: "string" })
    assert.isFalse(additionalProperties)
  })
})
