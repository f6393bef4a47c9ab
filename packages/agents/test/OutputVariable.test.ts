import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { AgentVersion, outputSchema, OutputVariable, readOutput } from "../src/index.js"

const variable = Schema.decodeUnknownSync(OutputVariable)
const problem = (fields: Record<string, unknown>) =>
  Either.match(Schema.decodeUnknownEither(OutputVariable)({ name: "a", ...fields }), {
    onLeft: ({ message }) => message,
    onRight: () => null
  })
const version = (fields: Record<string, unknown>) =>
  Either.match(Schema.decodeUnknownEither(AgentVersion)({ app_version: 1, committed: true, ...fields }), {
    onLeft: ({ message }) => message,
    onRight: () => null
  })

describe("an output variable", () => {
  it("reads values as its type", () => {
    const cases: ReadonlyArray<readonly [fields: object, value: unknown, expected: string | number | boolean | null]> =
      [
        [{}, 5, 5],
        [{ type: "string" }, 5, "5"],
        [{ type: "string" }, "  ", null],
        [{ type: "number" }, "-1.5", -1.5],
        [{ type: "integer" }, 7, 7],
        [{ type: "boolean" }, "False", false],
        [{ type: "date" }, "2028-02-29", "2028-02-29"],
        [{ type: "enum", values: ["Yes", "No"] }, "yes", "Yes"],
        [{ type: "enum", values: ["Yes", "No"] }, null, null]
      ]
    for (const [fields, value, expected] of cases) {
      assert.deepStrictEqual(readOutput(variable({ name: "a", ...fields }), value), Either.right(expected))
    }
  })

  it("refuses values of other types", () => {
    const cases: ReadonlyArray<readonly [fields: object, value: unknown]> = [
      [{}, ["a"]],
      [{ type: "string" }, "x".repeat(2_001)],
      [{ type: "number" }, "1,5 or so"],
      [{ type: "number" }, Infinity],
      [{ type: "integer" }, 1.5],
      [{ type: "boolean" }, "perhaps"],
      [{ type: "date" }, "2026-02-30"],
      [{ type: "date" }, "30.11.2026"],
      [{ type: "enum", values: ["Yes"] }, "Maybe"]
    ]
    for (const [fields, value] of cases) {
      const read = readOutput(variable({ name: "a", ...fields }), value)
      assert.match(Either.getOrElse(Either.flip(read), () => "it fits"), /^must /)
    }
  })

  it("has a JSON Schema that allows null, and none of its type without one", () => {
    assert.deepStrictEqual(outputSchema(variable({ name: "a", description: "the day" })), { description: "the day" })
    assert.deepStrictEqual(outputSchema(variable({ name: "a", type: "boolean" })), { type: ["boolean", "null"] })
  })

  it("has values only as an enum, each once", () => {
    assert.include(problem({ type: "enum" }) ?? "", "an enum has values")
    assert.include(problem({ type: "string", values: ["a"] }) ?? "", "belongs to the type enum")
    assert.include(problem({ type: "enum", values: ["a", "a"] }) ?? "", "a is listed twice")
  })
})

describe("the wishes of an agent after a call", () => {
  it("ask for something, and for variables only where some are declared", () => {
    assert.include(version({ after_call: {} }) ?? "", "asks for nothing")
    assert.include(version({ after_call: { extract: true } }) ?? "", "needs output_variables")
    assert.isNull(version({ after_call: { summary: true } }))
    assert.isNull(version({ after_call: { extract: true }, output_variables: [{ name: "a" }] }))
    assert.include(version({ after_call: { summary: true, webhook_wait_seconds: 301 } }) ?? "", "webhook_wait_seconds")
  })
})
