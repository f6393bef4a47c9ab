import { assert, describe, it } from "@effect/vitest"
import type { ModelRequest } from "@trunkline/models"
import { Effect } from "effect"
import { asking, readBody, scripted } from "./fixtures.js"

const asked = (more: object) => Effect.map(readBody(asking(more)), ({ request }) => request)

const tool = { type: "function", name: "look_up" }
const schema = { type: "object", properties: { a: { type: "string" } } }

const rows: ReadonlyArray<readonly [about: string, more: object, request: Partial<ModelRequest>]> = [
  ["tools as they are described", {
    tools: [{ ...tool, description: "Looks up", parameters: schema, strict: true }, {
      ...tool,
      name: "b",
      strict: null
    }]
  }, { tools: [{ name: "look_up", description: "Looks up", parameters: schema, strict: true }, { name: "b" }] }],
  ["which tool to choose", { tools: [tool], tool_choice: tool }, { toolChoice: { name: "look_up" } }],
  ["whether to choose one", { tools: [tool], tool_choice: "required" }, { toolChoice: "required" }],
  ["whether several at once", { parallel_tool_calls: false }, { parallelTools: false }],
  ["for JSON", { text: { format: { type: "json_object" } } }, { format: { type: "json" } }],
  ["for JSON by a schema", { text: { format: { type: "json_schema", name: "a", schema, strict: true } } }, {
    format: { type: "schema", name: "a", schema, strict: true }
  }],
  ["for no strictness unless told", {
    text: { format: { type: "json_schema", name: "a", description: "b", schema } }
  }, { format: { type: "schema", name: "a", description: "b", schema, strict: false } }],
  ["for the words it is told to choose", {
    temperature: 0.5,
    top_p: 0.6,
    top_k: 7,
    presence_penalty: 1,
    frequency_penalty: -1
  }, { sampling: { temperature: 0.5, topP: 0.6, topK: 7, presencePenalty: 1, frequencyPenalty: -1 } }],
  ["for its own choice of words unless told", { model: "model-g", top_k: -1 }, {
    sampling: { temperature: 1, topP: 0.95, presencePenalty: 0, frequencyPenalty: 0 }
  }],
  ["for so many tokens", { max_output_tokens: 9 }, { limits: { maxOutputTokens: 9 } }],
  ["how hard to think", { model: "model-d", reasoning: { effort: "max" } }, { effort: "max" }],
  ["what only its provider knows", { extra_body: { min_p: 0.1 } }, { extra: { min_p: 0.1 } }]
]

describe("what a model is asked", () => {
  for (const [about, more, expected] of rows) {
    it.effect(about, () =>
      Effect.gen(function*() {
        const request = yield* asked(more)
        assert.deepStrictEqual({ ...request, ...expected }, request)
      }).pipe(Effect.provide(scripted())))
  }

  it.effect("has nothing in it that was left out, null, or is ignored", () =>
    Effect.gen(function*() {
      const least = yield* asked({})
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
      assert.deepStrictEqual(yield* asked({ n: 4, seed: 4, top_logprobs: 3, user: "u", ...nulls }), least)
    }).pipe(Effect.provide(scripted())))

  it.effect("is not changed by fields with the names of what objects are made of", () =>
    Effect.gen(function*() {
      const { extra } = yield* asked(JSON.parse("{\"extra_body\":{\"__proto__\":{\"polluted\":1},\"constructor\":2}}"))
      assert.deepStrictEqual(Object.entries(extra ?? {}), [["constructor", 2]])
      assert.notProperty(extra, "polluted")
      assert.notProperty({}, "polluted")
    }).pipe(Effect.provide(scripted())))
})
