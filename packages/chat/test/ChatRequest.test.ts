import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { minimalBody, requestFor } from "./Doubles.js"

const requestOf = (version: "v1" | "v2", body: unknown) =>
  Effect.map(requestFor(version, body), ({ asking }) => asking.request)

const text = (text: string) => ({ type: "text", text })

describe("the request of a body", () => {
  it.effect("has defaults for everything but messages and model", () =>
    Effect.map(requestFor("v1", minimalBody()), (request) =>
      assert.deepStrictEqual(request, {
        asking: {
          request: {
            model: "core-105b",
            messages: [{ role: "user", content: "Hello" }],
            sampling: { temperature: 0.2, topP: 1, presencePenalty: 0, frequencyPenalty: 0 }
          },
          choices: 1,
          usualOutputTokens: 2048
        },
        stream: false,
        includeUsage: false
      })))

  it.effect("has the defaults of its model", () =>
    Effect.gen(function*() {
      const { sampling } = yield* requestOf("v2", { ...minimalBody("model-g"), temperature: null, top_p: null })
      assert.deepInclude(sampling, { temperature: 1, topP: 0.95 })
    }))

  it.effect("has all fields of the body", () =>
    Effect.gen(function*() {
      const schema = { type: "object" }
      const request = yield* requestFor("v2", {
        ...minimalBody(),
        temperature: 0,
        top_p: 0.5,
        presence_penalty: 1,
        frequency_penalty: -1,
        seed: 7,
        max_tokens: 50,
        stop: "END",
        n: 3,
        stream: true,
        stream_options: { include_usage: true },
        reasoning_effort: "high",
        logprobs: true,
        top_logprobs: 4,
        tools: [
          { type: "function", function: { name: "find", description: "Finds", parameters: schema, strict: true } },
          { type: "function", function: { name: "stop" } }
        ],
        tool_choice: { type: "function", function: { name: "find" } },
        parallel_tool_calls: false,
        response_format: { type: "json_schema", json_schema: { name: "answer", description: "An answer", schema } },
        extra_body: { guided_regex: "a+" }
      })
      assert.deepStrictEqual(request, {
        asking: {
          request: {
            model: "core-105b",
            messages: [{ role: "user", content: "Hello" }],
            tools: [
              { name: "find", strict: true, description: "Finds", parameters: schema },
              { name: "stop", strict: false }
            ],
            toolChoice: { name: "find" },
            parallelTools: false,
            format: { type: "schema", name: "answer", description: "An answer", schema, strict: false },
            sampling: { temperature: 0, topP: 0.5, presencePenalty: 1, frequencyPenalty: -1, seed: 7 },
            limits: { maxOutputTokens: 50, stop: ["END"] },
            effort: "high",
            logprobs: 4,
            extra: { guided_regex: "a+" }
          },
          choices: 3,
          usualOutputTokens: 2048
        },
        stream: true,
        includeUsage: true
      })
    }))

  it.effect("takes the smaller of max_tokens and max_completion_tokens", () =>
    Effect.gen(function*() {
      const of = (fields: object) =>
        Effect.map(requestOf("v1", { ...minimalBody(), ...fields }), ({ limits }) => limits)
      assert.deepStrictEqual(yield* of({ max_completion_tokens: 5 }), { maxOutputTokens: 5 })
      assert.deepStrictEqual(yield* of({ max_completion_tokens: 5, max_tokens: 9 }), { maxOutputTokens: 5 })
      assert.deepStrictEqual(yield* of({ max_completion_tokens: 9, max_tokens: 5 }), { maxOutputTokens: 5 })
    }))

  it.effect("has messages in a provider-independent form", () =>
    Effect.gen(function*() {
      const { messages } = yield* requestOf("v2", {
        model: "model-v",
        messages: [
          { role: "system", content: "Be brief.", name: "ignored" },
          { role: "developer", content: "Be kind." },
          {
            role: "user",
            name: "Asha",
            content: [text("Look"), { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }]
          },
          {
            role: "assistant",
            content: null,
            reasoning_content: "Hm.",
            tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: "{\"a\":" } }]
          },
          { role: "tool", tool_call_id: "c1", content: "42" },
          { role: "tool", tool_call_id: "c2", content: "43" },
          { role: "assistant", content: null, refusal: "No." },
          { role: "assistant", content: "Yes.", name: "helper" },
          { role: "narrator", content: [text("Later")], name: null }
        ]
      })
      assert.deepStrictEqual(messages, [
        { role: "system", content: "Be brief." },
        { role: "system", content: "Be kind." },
        {
          role: "user",
          content: [{ type: "text", text: "Look" }, { type: "image", mediaType: "image/png", base64: "iVBORw0KGgo=" }],
          name: "Asha"
        },
        {
          role: "assistant",
          content: null,
          toolRequests: [{ id: "c1", name: "find", arguments: "{\"a\":" }],
          reasoning: "Hm."
        },
        { role: "tool", toolRequestId: "c1", name: "find", content: "42" },
        { role: "tool", toolRequestId: "c2", name: "", content: "43" },
        { role: "assistant", content: "No.", toolRequests: [] },
        { role: "assistant", content: "Yes.", toolRequests: [], name: "helper" },
        { role: "other", as: "narrator", content: [{ type: "text", text: "Later" }] }
      ])
    }))

  it.effect("joins text parts in roles that allow only text", () =>
    Effect.gen(function*() {
      const content = [text("Hel"), text("lo")]
      const { messages } = yield* requestOf("v1", {
        model: "core-105b",
        messages: [
          { role: "system", content },
          { role: "developer", content },
          { role: "assistant", content: [...content, { type: "refusal", refusal: ", no" }] },
          { role: "assistant", content: [] },
          { role: "assistant", content: null },
          { role: "tool", tool_call_id: "c1", content }
        ]
      })
      assert.deepStrictEqual(messages, [
        { role: "system", content: "Hello" },
        { role: "system", content: "Hello" },
        { role: "assistant", content: "Hello, no", toolRequests: [] },
        { role: "assistant", content: "", toolRequests: [] },
        { role: "assistant", content: null, toolRequests: [] },
        { role: "tool", toolRequestId: "c1", name: "", content: "Hello" }
      ])
    }))

  it.effect("has no tools when the list is empty, whatever the tool choice", () =>
    Effect.gen(function*() {
      assert.doesNotHaveAnyKeys(yield* requestOf("v1", { ...minimalBody(), tools: [], tool_choice: "auto" }), [
        "tools",
        "toolChoice"
      ])
    }))

  it.effect("turns reasoning off only for models that allow it", () =>
    Effect.gen(function*() {
      const of = (model: string) => requestOf("v2", { ...minimalBody(model), reasoning_effort: null })
      assert.isNull((yield* of("core-105b")).effort)
      assert.isUndefined((yield* of("model-g")).effort)
      assert.isUndefined((yield* of("model-v")).effort)
      assert.isUndefined((yield* requestOf("v2", minimalBody())).effort)
    }))

  it.effect("drops __proto__ from extra_body", () =>
    Effect.gen(function*() {
      const extra_body: unknown = JSON.parse("{\"__proto__\":{\"admin\":true},\"top_k\":3}")
      const { extra } = yield* requestOf("v2", { ...minimalBody(), extra_body })
      assert.deepStrictEqual(Object.entries(Object.assign({}, extra)), [["top_k", 3]])
      assert.isFalse("admin" in Object.assign({}, extra))
      assert.isUndefined((yield* requestOf("v1", { ...minimalBody(), extra_body })).extra)
    }))
})
