import { createOpenResponses } from "@ai-sdk/open-responses"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import {
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
  tool
} from "ai"
import { type Ask, readsFailures } from "./Failures.js"
import { failing, script } from "./Script.js"
import { servedWith, withComments as fetch } from "./Server.js"

globalThis.AI_SDK_LOG_WARNINGS = false

const server = servedWith(script)

interface Provider {
  /** A model by its id; its streams are full of comments. */
  readonly model: (place: { readonly url: string; readonly apiKey: string }, id: string) => LanguageModel
  /** One that thinks, where the route shows thoughts. */
  readonly usual: string
  /** The status of a model that failed. */
  readonly failed: 502 | 503
}

/** Every provider that speaks to one of the routes. */
const providers: Readonly<Record<string, Provider>> = {
  "openai, chat": {
    model: ({ apiKey, url }, id) => createOpenAI({ baseURL: `${url}/v2`, apiKey, fetch }).chat(id),
    usual: "core-105b",
    failed: 503
  },
  "openai-compatible": {
    model: ({ apiKey, url }, id) =>
      createOpenAICompatible({
        name: "trunkline",
        baseURL: `${url}/v1`,
        apiKey,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true
      })(id),
    usual: "core-105b",
    failed: 503
  },
  "openai, responses": {
    model: ({ apiKey, url }, id) => createOpenAI({ baseURL: `${url}/v2`, apiKey, fetch }).responses(id),
    usual: "model-g",
    failed: 502
  },
  "open-responses": {
    model: ({ apiKey, url }, id) =>
      createOpenResponses({ name: "trunkline", url: `${url}/v2/responses`, apiKey, fetch })(id),
    usual: "model-g",
    failed: 502
  }
}

/** Responses are stateless: the client must not count on a store. */
const common = { providerOptions: { openai: { store: false } }, maxRetries: 0 }

const giving = (description: string, result: object) =>
  tool({
    description,
    inputSchema: jsonSchema<object>({ type: "object", properties: {} }),
    execute: () => Promise.resolve(result)
  })

const weather = tool({
  description: "Get the weather of a city",
  inputSchema: jsonSchema<{ city: string }>({
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false
  }),
  execute: ({ city }) => Promise.resolve({ city, celsius: 31 })
})

describe.each(Object.entries(providers))("the AI SDK with %s", (name, { failed, model, usual }) => {
  const asked = () => ({ ...common, model: model({ url: server.url, apiKey: testKeys.beta }, usual) })

  it("generates text, with its usage", async () => {
    const { finishReason, text, usage } = await generateText({ ...asked(), prompt: "Please count to three" })
    assert.deepStrictEqual([text, finishReason], ["One, two, three.", "stop"])
    assert.isAbove(usage.outputTokens ?? 0, 0)
  })

  it("streams text", async () => {
    const result = streamText({ ...asked(), prompt: "Please count to three" })
    const pieces: Array<string> = []
    for await (const piece of result.textStream) pieces.push(piece)
    assert.strictEqual(pieces.join(""), "One, two, three.")
    assert.isAbove(pieces.length, 1)
    assert.strictEqual(await result.finishReason, "stop")
    assert.isAbove((await result.usage).inputTokens ?? 0, 0)
  })

  it.each([false, true])("calls a tool that the model chose, streamed: %s", async (isStreamed) => {
    const options = {
      ...asked(),
      prompt: "Get the weather of the city Pune, please",
      tools: { get_current_weather: weather },
      stopWhen: stepCountIs(3)
    }
    const result = isStreamed ? streamText(options) : await generateText(options)
    const steps = await result.steps
    assert.deepStrictEqual(steps.map(({ finishReason }) => finishReason), ["tool-calls", "stop"])
    assert.include(await result.text, "31")
  })

  it.each([false, true])("calls tools in two rounds, streamed: %s", async (isStreamed) => {
    const options = {
      ...asked(),
      prompt: "Is it warm there?",
      tools: { find_city: giving("Finds a city", { city: "Pune" }), get_weather: giving("Weather", { celsius: 31 }) },
      stopWhen: stepCountIs(5)
    }
    const result = isStreamed ? streamText(options) : await generateText(options)
    const steps = await result.steps
    assert.deepStrictEqual(steps.map(({ finishReason }) => finishReason), ["tool-calls", "tool-calls", "stop"])
    assert.strictEqual(await result.text, "Found: celsius: 31")
  })

  it("continues a conversation", async () => {
    const question: ModelMessage = { role: "user", content: "Hi, my name is Asha" }
    const { response } = await generateText({ ...asked(), messages: [question] })
    const { text } = await generateText({
      ...asked(),
      system: "Be kind.",
      messages: [question, ...response.messages, { role: "user", content: [{ type: "text", text: "Who am I?" }] }]
    })
    assert.strictEqual(text, "You are Asha.")
  })

  it("generates an object by its schema", async () => {
    const { object } = await generateObject({
      ...asked(),
      prompt: "The weather in Pune for 3 days",
      schema: jsonSchema<{ city: string; days: number }>({
        type: "object",
        properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } },
        required: ["city", "days"],
        additionalProperties: false
      })
    })
    assert.isString(object.city)
    assert.isTrue(object.days >= 1 && object.days <= 7)
  })

  it("reports a failure in the middle of a stream", async () => {
    const result = streamText({ ...asked(), prompt: failing.broken, onError: () => {} })
    const parts: Array<string> = []
    for await (const { type } of result.fullStream) parts.push(type)
    assert.strictEqual(await result.finishReason, "error")
    if (name !== "open-responses") assert.include(parts, "error", "open-responses tells of it by its finish only")
  })

  const ask: Ask = async ({ apiKey, model: id, onText, prompt, signal, streamed, temperature, url }) => {
    const options = {
      ...common,
      model: model({ url, apiKey }, id),
      prompt,
      ...(temperature !== undefined && { temperature }),
      ...(signal !== undefined && { abortSignal: signal })
    }
    if (!streamed) return (await generateText(options)).text
    const result = streamText({ ...options, onError: () => {} })
    for await (const part of result.fullStream) {
      if (part.type === "error") throw part.error
      if (part.type === "text-delta") onText?.()
      if (part.type === "finish") assert.strictEqual(part.finishReason, "stop")
    }
    return result.text
  }

  readsFailures(server, { ask, failed })
})
