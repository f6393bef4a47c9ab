import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createTrunkline, defineTool, InvalidOption, type PlainModel, type StandardSchema, type Tool } from "trunkline"
import { z } from "zod"
import { call, line, withTrunkline } from "../Fixtures.js"

const Booking = z.object({ people: z.number().int().max(8), when: z.string().default("tonight") })

/** Holds a call with an agent that has a tool, whose model uses it with these arguments; resolves with what it is told. */
const use = async (tool: Tool, given: ReadonlyArray<string>) => {
  const seen: { parameters?: unknown; readonly told: Array<string> } = { told: [] }
  const model: PlainModel = {
    generate: async ({ messages, tools }) => {
      seen.parameters = tools?.find(({ name }) => name === tool.name)?.parameters
      const results = messages.flatMap((message) => message.role === "tool" ? [String(message.content)] : [])
      seen.told.splice(0, Infinity, ...results)
      const next = given[results.length]
      const request = next === undefined ? { name: "end_call", arguments: "{}" } : { name: tool.name, arguments: next }
      return { text: "Well.", toolRequests: [{ id: String(results.length), ...request }] }
    }
  }
  await withTrunkline(
    { agents: [{ app_id: "reminder", first_message: "Hello", tools: [tool] }], model },
    async (trunkline) => (await trunkline.calls.create(call)).ended
  )
  return seen
}

/** The error of a start with a tool. */
const errorOf = async (tool: Tool) => {
  const agents = [{ app_id: "other" }, {
    app_id: "reminder",
    versions: [{ app_version: 1, committed: true, tools: [tool] }] as const
  }]
  try {
    await (await createTrunkline({ data: ":memory:", agents, lines: [line] })).close()
    return undefined
  } catch (error) {
    return error
  }
}

describe("a tool with a schema of zod", () => {
  it("gets typed arguments as the schema reads them, and the model is shown JSON Schema", async () => {
    const got: Array<readonly [people: number, when: string]> = []
    const tool = defineTool({
      name: "find_table",
      description: "Finds a table",
      parameters: Booking,
      run: ({ people, when }) => {
        got.push([people, when])
        return "Table 4"
      }
    })
    const { parameters, told } = await use(tool, [`{"people":2}`])
    assert.deepStrictEqual([got, told], [[[2, "tonight"]], ["Table 4"]])
    assert.deepInclude(parameters, { type: "object", required: ["people"] })
    assert.notProperty(parameters, "$schema")
  })

  it("tells the model of wrong arguments, and is not run", async () => {
    let runs = 0
    const tool: Tool = { name: "find_table", description: "", parameters: Booking, run: () => `Table ${runs += 1}` }
    const first = await use(tool, ["[]", `{"people":2}`])
    assert.match(first.told[0] ?? "", /^The arguments are wrong: .*object/)
    assert.deepStrictEqual([first.told[1], runs], ["Table 1", 1])
    const { told } = await use(tool, [`{"people":"two"}`, `{"people":9,"when":1}`, `{"people":2}`])
    assert.match(told[0] ?? "", /^The arguments are wrong: people: .*number/)
    assert.match(told[1] ?? "", /people: .*; when: .*before the caller has spoken\.$/)
    assert.deepStrictEqual([told[2], runs], ["Its arguments were wrong twice. Ask the caller first.", 1])
  })

  it("with JSON Schema is not run with wrong arguments either", async () => {
    let runs = 0
    const parameters = { type: "object", properties: { people: { type: "integer" } }, required: ["people"] }
    const tool: Tool = { name: "find_table", description: "", parameters, run: () => `Table ${runs += 1}` }
    const { told } = await use(tool, ["{}", `{"people":2}`])
    assert.match(told[0] ?? "", /^The arguments are wrong: .*people/)
    assert.deepStrictEqual([told[1], runs], ["Table 1", 1])
  })
})

describe("a tool with a schema of another library", () => {
  const parameters = Schema.standardSchemaV1(Schema.Struct({ people: Schema.NumberFromString }))
  const jsonSchema = { type: "object", properties: { people: { type: "string" } } }

  it("takes JSON Schema beside one that does not write it", async () => {
    const run = ({ people }: { readonly people: number }) => people + 1
    const seen = await use(defineTool({ name: "count", description: "", parameters, jsonSchema, run }), [
      `{"people":"2"}`,
      `{"people":2}`
    ])
    assert.deepStrictEqual(seen.parameters, jsonSchema)
    assert.strictEqual(seen.told[0], "3")
    assert.match(seen.told[1] ?? "", /^The arguments are wrong: people: Expected string/)
  })

  it("may be a function, and answer later", async () => {
    const validate = async (value: unknown) =>
      value === 1
        ? { value: { one: 1 } }
        : { issues: [{ message: "not one", path: [{ key: "a" }, 0] }, { message: "so" }] }
    const schema: StandardSchema = Object.assign(() => undefined, {
      "~standard": { version: 1, vendor: "mine", validate } as const
    })
    const tool: Tool = { name: "one", description: "", parameters: schema, jsonSchema, run: ({ one }) => one }
    assert.deepStrictEqual((await use(tool, ["1", "2"])).told, ["1", "The arguments are wrong: a.0: not one; so"])
  })

  it("is rejected at the start when its JSON Schema is missing, fails, or is not that of an object", async () => {
    const run = () => ""
    const problems = await Promise.all(
      [parameters, z.object({ at: z.date() }), z.string()].map((schema) =>
        errorOf({ name: "count", description: "", parameters: schema, run })
      )
    )
    for (const [index, words] of ["effect does not write", "jsonSchema beside", "are an object"].entries()) {
      const error = problems[index]
      assert.instanceOf(error, InvalidOption)
      assert.strictEqual(error.option, "agents.1.versions.0.tools.0.parameters")
      assert.include(error.message, words)
    }
  })
})
