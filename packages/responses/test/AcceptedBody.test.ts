import { assert, describe, it } from "@effect/vitest"
import { ResponseBody, Responses } from "@trunkline/responses"
import { Effect } from "effect"
import { call, errorFor, format, image, parts, read, schema, tool } from "./BodyFixtures.js"
import { bodyWith, scripted } from "./Fixtures.js"

const optionalFields = Object.keys(ResponseBody.fields).filter((name) => name !== "model" && name !== "input")

const accepted: ReadonlyArray<readonly [about: string, more: object]> = [
  ["a text as input", {}],
  ["one item as input", { input: { role: "user", content: "hello" } }],
  ["a typed message", { input: { type: "message", role: "user", content: "hello" } }],
  ["an item whose type is null", { input: { type: null, role: "user", content: "hello" } }],
  ["an empty message", { input: { role: "user", content: "" } }],
  ["every role", { input: ["user", "assistant", "system", "developer"].map((role) => ({ role, content: "x" })) }],
  ["a message in parts", parts({ type: "input_text", text: "a" }, { type: "output_text", text: "b" })],
  [
    "a message in very many parts",
    parts(...Array.from({ length: 5_000 }, () => ({ type: "input_text", text: "a" })))
  ],
  ["an image on a model with vision", { model: "model-v", ...parts(image) }],
  ["an image with its detail", { model: "model-v", ...parts({ ...image, detail: "low" }) }],
  ["an image with a detail of null", { model: "model-v", ...parts({ ...image, detail: null }) }],
  ["an image as a tool's result", {
    model: "model-v",
    input: [call, { type: "function_call_output", call_id: "call_1", output: [image] }]
  }],
  ["a call and its result", { input: [call, { type: "function_call_output", call_id: "call_1", output: "42" }] }],
  ["a result in parts", {
    input: [call, { type: "function_call_output", call_id: "call_1", output: [{ type: "input_text", text: "42" }] }]
  }],
  ["reasoning without a summary", { input: [{ type: "reasoning", summary: [] }, { role: "user", content: "x" }] }],
  ["encrypted reasoning", {
    input: [{ type: "reasoning", id: "rs_1", encrypted_content: "abc", summary: [] }, { role: "user", content: "x" }]
  }],
  ["unchanged output items", {
    input: [
      {
        type: "reasoning",
        id: "rs_1",
        status: "completed",
        summary: [{ type: "summary_text", text: "hm" }],
        content: null
      },
      {
        type: "message",
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [
          { type: "output_text", text: "hi", annotations: [], logprobs: [] },
          { type: "refusal", refusal: "no" }
        ]
      },
      { ...call, id: "fc_1", status: "completed" }
    ]
  }],
  ["stream true", { stream: true }],
  ["stream false", { stream: false }],
  ["one token of output", { max_output_tokens: 1 }],
  ["temperatures from 0", { temperature: 0 }],
  ["temperatures to 2", { temperature: 2 }],
  ["a small top_p", { top_p: 0.001 }],
  ["a top_p of 1", { top_p: 1 }],
  ["a top_k of -1", { top_k: -1 }],
  ["a top_k of 1", { top_k: 1 }],
  ["penalties from -2 to 2", { frequency_penalty: -2, presence_penalty: 2 }],
  ["store when it is false", { store: false }],
  ["background when it is false", { background: false }],
  ["an empty list of tools", { tools: [] }],
  ["a tool with only a name", { tools: [tool] }],
  ["a tool with everything", {
    tools: [{ ...tool, description: "Looks up", parameters: { type: "object", properties: {} }, strict: true }]
  }],
  ["a tool with nulls", { tools: [{ ...tool, description: null, parameters: null, strict: null }] }],
  ["a tool's longest name", { tools: [{ ...tool, name: "a".repeat(64) }] }],
  ["a required tool choice", { tools: [tool], tool_choice: "required" }],
  ["tool_choice none without tools", { tool_choice: "none" }],
  ["tool_choice auto without tools", { tool_choice: "auto", tools: [] }],
  ["tool_choice by name", { tools: [tool], tool_choice: tool }],
  ["parallel_tool_calls false", { parallel_tool_calls: false }],
  ["parallel_tool_calls true", { parallel_tool_calls: true }],
  ["low effort on model-g", { model: "model-g", reasoning: { effort: "low" } }],
  ["high effort on model-g", { model: "model-g", reasoning: { effort: "high", summary: "auto" } }],
  ["a detailed summary on model-g", { model: "model-g", reasoning: { summary: "detailed" } }],
  ["low effort on model-d", { model: "model-d", reasoning: { effort: "low" } }],
  ["high effort on model-d", { model: "model-d", reasoning: { effort: "high" } }],
  ["max effort on model-d", { model: "model-d", reasoning: { effort: "max" } }],
  ["reasoning of nulls on a model that takes none", { reasoning: { effort: null, summary: null } }],
  ["empty reasoning on a model that takes none", { model: "model-v", reasoning: {} }],
  ["plain text", { text: { format: { type: "text" } } }],
  ["the JSON format", { text: { format: { type: "json_object" } } }],
  ["JSON with a schema", format(schema)],
  ["JSON with a strict schema", format({ ...schema, strict: true, description: "A person" })],
  ["a schema with nulls", format({ ...schema, strict: null, description: null })],
  ["a schema's longest name", format({ ...schema, name: "a".repeat(64) })],
  ["n and seed, which are ignored", { n: 3, seed: -1 }],
  ["metadata", { metadata: { a: "1" } }],
  ["top_logprobs of 0", { top_logprobs: 0 }],
  ["top_logprobs of 20", { top_logprobs: 20 }],
  ["truncation auto", { truncation: "auto" }],
  ["keys and ids to echo", {
    prompt_cache_key: "k",
    prompt_cache_retention: "24h",
    safety_identifier: "s",
    user: "u"
  }],
  ["fields of other services", { include: ["reasoning.encrypted_content"], stream_options: {}, service_tier: "flex" }],
  ["unknown fields", { shoe_size: 43 }],
  ["extra fields for the provider", { extra_body: { guided_regex: "a+", min_p: 0.1 } }],
  ["an empty extra_body", { extra_body: {} }],
  ["null for all optional fields", Object.fromEntries(optionalFields.map((name) => [name, null]))]
]

describe("a body for a response", () => {
  for (const [about, more] of accepted) {
    it.effect(`accepts ${about}`, () => Effect.asVoid(Effect.provide(read(bodyWith(more)), scripted())))
  }

  it.effect("lists all issues at once, without values of the body", () =>
    Effect.gen(function*() {
      const secret = "hunter2"
      const failure = yield* Effect.flip(
        read({ model: "core-105b", input: [{ role: secret, content: [secret] }], temperature: secret, store: secret })
      )
      assert.isTrue(failure._tag === "Invalid")
      assert.sameMembers(
        failure._tag === "Invalid" ? failure.issues.map(({ loc }) => loc.join(".")) : [],
        ["body.input.0.role", "body.input.0.content.0", "body.temperature", "body.store"]
      )
      assert.notInclude(failure.message, secret)
    }).pipe(Effect.provide(scripted())))

  it.effect("lists issues of all rules at once", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(
        read(bodyWith({ tool_choice: "required", reasoning: { effort: "low" }, extra_body: { n: 1 }, ...parts(image) }))
      )
      assert.sameMembers(
        failure._tag === "Invalid" ? failure.issues.map(({ loc }) => loc.join(".")) : [],
        ["body.tool_choice", "body.reasoning", "body.extra_body.n", "body.input.0.content.0.image_url"]
      )
    }).pipe(Effect.provide(scripted())))
})

describe("the model of a body", () => {
  const modelOf = (body: unknown) => Effect.flatMap(Responses, (responses) => responses.modelOf(body))

  for (const model of ["core-105b", "model-g", "model-v", "model-d"]) {
    it.effect(`may be ${model}, whatever else is invalid`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* modelOf({ model, input: 5, store: true }), model)
      }).pipe(Effect.provide(scripted())))
  }

  for (const model of ["Core-105b", "core-105b ", "core-105b-conversations", "gpt-4", "", "__proto__", "toString"]) {
    it.effect(`is not found as ${JSON.stringify(model)}`, () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(modelOf({ model }))
        assert.deepStrictEqual([failure._tag, errorFor(failure).status], ["NotFound", 404])
        assert.strictEqual((yield* Effect.flip(read({ model, store: true })))._tag, "NotFound")
      }).pipe(Effect.provide(scripted())))
  }

  const wrong: ReadonlyArray<readonly [body: unknown, param: string, sentence: string]> = [
    [{}, "model", "body.model: This field is required"],
    [{ model: 5 }, "model", "body.model: Must be a string"],
    [{ model: null }, "model", "body.model: Must be a string"],
    [null, "", "body: Must be an object"],
    ["core-105b", "", "body: Must be an object"],
    [undefined, "", "body: This field is required"]
  ]
  for (const [body, param, message] of wrong) {
    it.effect(`is required in ${JSON.stringify(body)}`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(errorFor(yield* Effect.flip(modelOf(body))), { status: 400, param, message })
      }).pipe(Effect.provide(scripted())))
  }
})
