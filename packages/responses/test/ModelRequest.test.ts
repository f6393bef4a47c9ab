import { assert, describe, it } from "@effect/vitest"
import type { ModelRequest } from "@trunkline/models"
import { Effect } from "effect"
import { bodyWith, readBody, scripted } from "./Fixtures.js"

const requestOf = (more: object) => Effect.map(readBody(bodyWith(more)), ({ request }) => request)

const tool = { type: "function", name: "look_up" }
const schema = { type: "object", properties: { a: { type: "string" } } }

const rows: ReadonlyArray<readonly [about: string, more: object, request: Partial<ModelRequest>]> = [
  ["the tools", {
    tools: [{ ...tool, description: "Looks up", parameters: schema, strict: true }, {
      ...tool,
      name: "b",
      strict: null
    }]
  }, { tools: [{ name: "look_up", description: "Looks up", parameters: schema, strict: true }, { name: "b" }] }],
  ["a named tool choice", { tools: [tool], tool_choice: tool }, { toolChoice: { name: "look_up" } }],
  ["a required tool choice", { tools: [tool], tool_choice: "required" }, { toolChoice: "required" }],
  ["parallel tool calls", { parallel_tool_calls: false }, { parallelTools: false }],
  ["the JSON format", { text: { format: { type: "json_object" } } }, { format: { type: "json" } }],
  ["the schema of the JSON format", { text: { format: { type: "json_schema", name: "a", schema, strict: true } } }, {
    format: { type: "schema", name: "a", schema, strict: true }
  }],
  ["no strictness by default", {
    text: { format: { type: "json_schema", name: "a", description: "b", schema } }
  }, { format: { type: "schema", name: "a", description: "b", schema, strict: false } }],
  ["the sampling parameters", {
    temperature: 0.5,
    top_p: 0.6,
    top_k: 7,
    presence_penalty: 1,
    frequency_penalty: -1
  }, { sampling: { temperature: 0.5, topP: 0.6, topK: 7, presencePenalty: 1, frequencyPenalty: -1 } }],
  ["the model's default sampling parameters", { model: "model-g", top_k: -1 }, {
    sampling: { temperature: 1, topP: 0.95, presencePenalty: 0, frequencyPenalty: 0 }
  }],
  ["the token limit", { max_output_tokens: 9 }, { limits: { maxOutputTokens: 9 } }],
  ["the reasoning effort", { model: "model-d", reasoning: { effort: "max" } }, { effort: "max" }],
  ["the fields for the provider", { extra_body: { min_p: 0.1 } }, { extra: { min_p: 0.1 } }]
]

describe("the request to the model", () => {
  for (const [about, more, expected] of rows) {
    it.effect(`has ${about}`, () =>
      Effect.gen(function*() {
        const request = yield* requestOf(more)
        assert.deepStrictEqual({ ...request, ...expected }, request)
      }).pipe(Effect.provide(scripted())))
  }

  it.effect("omits fields that are missing, null or ignored", () =>
    Effect.gen(function*() {
      const least = yield* requestOf({})
      assert.deepStrictEqual(least, {
        model: "core-105b",
        messages: [{ role: "user", content: "hello" }],
        format: { type: "text" },
        sampling: { temperature: 0.2, topP: 1, presencePenalty: 0, frequencyPenalty: 0 }
      })
      const nulls = {
        tools: [],
        tool_choice: null,
        max_output_tokens: null,
        reasoning: { effort: null },
        extra_body: null,
        parallel_tool_calls: null
      }
      assert.deepStrictEqual(yield* requestOf({ n: 4, seed: 4, top_logprobs: 3, user: "u", ...nulls }), least)
    }).pipe(Effect.provide(scripted())))

  it.effect("drops __proto__ from extra_body", () =>
    Effect.gen(function*() {
      const { extra } = yield* requestOf(
        JSON.parse("{\"extra_body\":{\"__proto__\":{\"polluted\":1},\"constructor\":2}}")
      )
      assert.deepStrictEqual(Object.entries(extra ?? {}), [["constructor", 2]])
      assert.notProperty(extra, "polluted")
      assert.notProperty({}, "polluted")
    }).pipe(Effect.provide(scripted())))
})
