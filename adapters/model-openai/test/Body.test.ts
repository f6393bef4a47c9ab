import { assert, describe, it } from "@effect/vitest"
import type { Capabilities, CapabilityOptions } from "@trunkline/model-openai"
import type { Message, ModelRequest } from "@trunkline/models"
import { capabilitiesBy } from "../src/Capabilities.js"
import { missingCapability, outboundBody, type OutboundOptions } from "../src/RequestBody.js"
import { hello } from "./fixtures/Wire.js"

/** The body that is sent for a request, as parsed JSON. */
const bodyOf = (
  request: Partial<ModelRequest>,
  options: Partial<Capabilities> = {},
  { noThinking = {}, streamed = false }: Partial<OutboundOptions> = {}
): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(outboundBody({ ...hello, ...request }, {
    capabilities: capabilitiesBy({ all: options })("m"),
    model: "upstream",
    streamed,
    noThinking
  })))

const messages = (message: Message, options: Partial<Capabilities> = {}) =>
  bodyOf({ messages: [message] }, options).messages

const plain = { model: "upstream", messages: [{ role: "user", content: "Hi" }] }

describe("the body of a request", () => {
  it("has requested fields only", () => {
    assert.deepStrictEqual(bodyOf({}), plain)
    assert.deepStrictEqual(
      bodyOf({ tools: [], toolChoice: "none", limits: { stop: [] }, format: { type: "text" } }),
      plain
    )
  })

  it("requests usage of a stream if the upstream supports that", () => {
    const streaming = { ...plain, stream: true }
    assert.deepStrictEqual(bodyOf({}, {}, { streamed: true }), {
      ...streaming,
      stream_options: { include_usage: true }
    })
    assert.deepStrictEqual(bodyOf({}, { streamUsage: false }, { streamed: true }), streaming)
  })

  it("has sampling options and stop sequences", () => {
    const request = {
      sampling: { temperature: 0, topP: 0.5, topK: 3, presencePenalty: -1, frequencyPenalty: 1, seed: 0 },
      limits: { maxOutputTokens: 7, stop: ["a", "b"] }
    }
    const always = { ...plain, temperature: 0, top_p: 0.5, stop: ["a", "b"] }
    assert.deepStrictEqual(bodyOf(request), {
      ...always,
      presence_penalty: -1,
      frequency_penalty: 1,
      seed: 0,
      top_k: 3,
      max_tokens: 7
    })
    const other = { topK: false, penalties: false, seed: false, maxTokensField: "max_completion_tokens" } as const
    assert.deepStrictEqual(bodyOf(request, other), { ...always, max_completion_tokens: 7 })
  })

  it("omits the temperature for models without one, and penalties of zero", () => {
    const sampling = { temperature: 0.7, topP: 0.9, presencePenalty: 0, frequencyPenalty: 0, seed: 5 }
    assert.deepStrictEqual(bodyOf({ sampling }, { temperature: false }), { ...plain, seed: 5 })
    assert.deepStrictEqual(bodyOf({ sampling: { ...sampling, frequencyPenalty: 1 } }), {
      ...plain,
      temperature: 0.7,
      top_p: 0.9,
      frequency_penalty: 1,
      seed: 5
    })
  })

  it("requests greedy decoding with a top_p that every server accepts", () => {
    const { top_p } = bodyOf({ sampling: { topP: 0 } })
    assert.isTrue(typeof top_p === "number" && top_p > 0 && top_p < 0.001)
  })

  it("has tools with their descriptions", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } }
    const request: Partial<ModelRequest> = {
      tools: [{ name: "weather", description: "Tells it.", parameters, strict: true }, { name: "dice" }],
      toolChoice: { name: "dice" },
      parallelTools: false
    }
    const dice = { type: "function", function: { name: "dice", parameters: { type: "object", properties: {} } } }
    const weather = { name: "weather", description: "Tells it.", parameters }
    const choice = { tool_choice: { type: "function", function: { name: "dice" } } }
    assert.deepStrictEqual(bodyOf(request), {
      ...plain,
      ...choice,
      tools: [{ type: "function", function: { ...weather, strict: true } }, dice],
      parallel_tool_calls: false
    })
    assert.deepStrictEqual(bodyOf(request, { strictTools: false, parallelTools: false }), {
      ...plain,
      ...choice,
      tools: [{ type: "function", function: weather }, dice]
    })
    for (const toolChoice of ["auto", "none", "required"] as const) {
      assert.strictEqual(bodyOf({ tools: [{ name: "dice" }], toolChoice }).tool_choice, toolChoice)
    }
  })

  it("has the response format", () => {
    assert.deepStrictEqual(bodyOf({ format: { type: "json" } }).response_format, { type: "json_object" })
    const schema = { type: "object" }
    assert.deepStrictEqual(bodyOf({ format: { type: "schema", name: "x", schema, strict: true } }).response_format, {
      type: "json_schema",
      json_schema: { name: "x", schema, strict: true }
    })
  })

  it("has the reasoning effort in the form of the model", () => {
    assert.deepStrictEqual(bodyOf({ effort: "high" }), { ...plain, reasoning_effort: "high" })
    assert.strictEqual(bodyOf({ effort: "max" }, { effortWords: { max: "xhigh" } }).reasoning_effort, "xhigh")
    const effort = "thinking_switch"
    assert.deepStrictEqual(bodyOf({ effort: "low" }, { effort }), {
      ...plain,
      chat_template_kwargs: { enable_thinking: true }
    })
    const extra = { chat_template_kwargs: { enable_thinking: true, tone: "warm" } }
    const noThinking = { chat_template_kwargs: { enable_thinking: false }, think: false }
    assert.deepStrictEqual(bodyOf({ effort: null, extra }, {}, { noThinking }), {
      ...plain,
      chat_template_kwargs: { enable_thinking: false, tone: "warm" },
      think: false
    })
    assert.deepStrictEqual(bodyOf({ effort: null }), plain)
    assert.deepStrictEqual(bodyOf({ effort: "low" }, { effort: "unsaid" }), plain)
    assert.deepStrictEqual(bodyOf({}, { effort }), plain)
  })

  it("requests log probabilities", () => {
    assert.deepStrictEqual(bodyOf({ logprobs: 0 }), { ...plain, logprobs: true })
    assert.deepStrictEqual(bodyOf({ logprobs: 5 }), { ...plain, logprobs: true, top_logprobs: 5 })
  })

  it("accepts additional fields, and defaults for missing ones", () => {
    const extra = { min_p: 0.1, stop: "x", temperature: 2, top_k: 7 }
    assert.deepStrictEqual(bodyOf({ extra }), { ...plain, ...extra })
    const sampling = { temperature: 0.5, topK: 3 }
    assert.deepStrictEqual(bodyOf({ extra, sampling }), { ...plain, ...extra, temperature: 0.5, top_k: 3 })
  })

  it("accepts no additional field that replaces another one or changes the destination", () => {
    const extra: Readonly<Record<string, unknown>> = JSON.parse(`{
      "min_p": 0.1, "guided": { "__proto__": 1 }, "logit_bias": { "5": 1 },
      "model": "other", "messages": [], "max_tokens": 1, "max_completion_tokens": 1, "n": 5,
      "stream": true, "stream_options": {}, "tools": [], "functions": [],
      "__proto__": { "polluted": true }, "constructor": { "prototype": { "polluted": true } }, "prototype": 1
    }`)
    const body = outboundBody({ ...hello, extra }, {
      capabilities: capabilitiesBy({})("m"),
      model: "upstream",
      streamed: false,
      noThinking: {}
    })
    assert.strictEqual(
      JSON.stringify(body),
      `{"min_p":0.1,"guided":{"__proto__":1},"logit_bias":{"5":1},"model":"upstream",`
        + `"messages":[{"role":"user","content":"Hi"}]}`
    )
    assert.strictEqual(Object.getPrototypeOf(body), Object.prototype)
    assert.notProperty({}, "polluted")
  })
})

const picture = { type: "image", mediaType: "image/png", base64: "iVBORw0K" } as const

describe("the messages of a request", () => {
  it("have their roles, or the role for instructions", () => {
    assert.deepStrictEqual(messages({ role: "system", content: "Be brief." }), [{
      role: "system",
      content: "Be brief."
    }])
    assert.deepStrictEqual(messages({ role: "system", content: "Be brief." }, { systemRole: "developer" }), [
      { role: "developer", content: "Be brief." }
    ])
    assert.deepStrictEqual(messages({ role: "user", content: "Hi", name: "Asha" }), [
      { role: "user", content: "Hi", name: "Asha" }
    ])
    assert.deepStrictEqual(messages({ role: "other", as: "critic", content: "Hm", name: "C" }), [
      { role: "critic", content: "Hm", name: "C" }
    ])
    assert.deepStrictEqual(messages({ role: "tool", toolRequestId: "a", name: "dice", content: "6" }), [
      { role: "tool", tool_call_id: "a", content: "6" }
    ])
  })

  it("have their images as data URLs", () => {
    const content = [{ type: "text", text: "What?" }, picture, { ...picture, detail: "low" }] as const
    const url = "data:image/png;base64,iVBORw0K"
    assert.deepStrictEqual(messages({ role: "user", content }), [{
      role: "user",
      content: [
        { type: "text", text: "What?" },
        { type: "image_url", image_url: { url } },
        { type: "image_url", image_url: { url, detail: "low" } }
      ]
    }])
  })

  it("have their text in one string for a model without vision", () => {
    const content = [{ type: "text", text: "a" }, { type: "text", text: "b" }] as const
    assert.deepStrictEqual(messages({ role: "user", content }, { images: false }), [{ role: "user", content: "ab" }])
  })

  it("have text, tool calls and, if the model expects it, reasoning of the assistant", () => {
    const message = {
      role: "assistant",
      content: null,
      toolRequests: [{ id: "a", name: "dice", arguments: "{}" }]
    } as const
    const tool_calls = [{ id: "a", type: "function", function: { name: "dice", arguments: "{}" } }]
    assert.deepStrictEqual(messages(message), [{ role: "assistant", content: null, tool_calls }])
    assert.deepStrictEqual(messages({ role: "assistant", content: null, toolRequests: [] }), [
      { role: "assistant", content: "" }
    ])
    const thought = { role: "assistant", content: "Yes.", reasoning: "Hm.", toolRequests: [] } as const
    assert.deepStrictEqual(messages(thought), [{ role: "assistant", content: "Yes." }])
    for (const reasoningIn of ["reasoning", "reasoning_content"] as const) {
      assert.deepStrictEqual(messages(thought, { forwardReasoning: true, reasoningIn }), [
        { role: "assistant", content: "Yes.", [reasoningIn]: "Hm." }
      ])
    }
    assert.deepStrictEqual(messages(thought, { forwardReasoning: true, reasoningIn: "think_tags" }), [
      { role: "assistant", content: "<think>\nHm.\n</think>\n\nYes." }
    ])
  })
})

describe("unsupported capabilities", () => {
  const lack = (request: Partial<ModelRequest>, options: CapabilityOptions) =>
    missingCapability({ ...hello, ...request }, capabilitiesBy(options)("m"))?.message ?? null

  it("are rejected before a request is sent", () => {
    const image: Partial<ModelRequest> = { messages: [{ role: "user", content: [picture] }] }
    const prefill: Partial<ModelRequest> = { messages: [{ role: "assistant", content: "I", toolRequests: [] }] }
    assert.strictEqual(lack({ logprobs: 0 }, { all: { logprobs: false } }), "This model does not tell logprobs")
    assert.strictEqual(lack(image, { all: { images: false } }), "This model does not take images")
    assert.strictEqual(
      lack(prefill, { all: { prefill: false } }),
      "This model does not go on with an answer that was begun"
    )
    for (const request of [image, prefill, { logprobs: 0 }]) assert.isNull(lack(request, {}))
  })

  it("are configurable for single models", () => {
    const byModel = { m: { logprobs: true }, constructor: {} }
    assert.isNull(lack({ logprobs: 0 }, { all: { logprobs: false }, byModel }))
    assert.isNotNull(lack({ logprobs: 0 }, { all: { logprobs: false }, byModel: { other: { logprobs: true } } }))
  })
})
