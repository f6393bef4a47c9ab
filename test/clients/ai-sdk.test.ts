import { createOpenResponses } from "@ai-sdk/open-responses"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, it } from "@effect/vitest"
import { ModelUnavailable } from "@trunkline/errors"
import { testKeys } from "@trunkline/http-api/testing"
import { userSays } from "@trunkline/models"
import { generateObject, generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from "ai"
import { servedWith, withComments } from "./Server.js"

const server = servedWith([
  { when: userSays("count to three"), reply: "One, two, three." },
  {
    when: userSays("think and break"),
    reply: "One, two, three.",
    failsAfter: 2,
    error: new ModelUnavailable({ message: "gone" })
  }
])

const common = { apiKey: testKeys.beta, fetch: withComments }

/** Every provider that speaks to one of the routes, with a model behind it; their streams are full of comments. */
const providers: Readonly<Record<string, () => LanguageModel>> = {
  "openai, chat": () => createOpenAI({ baseURL: `${server.url}/v2`, ...common }).chat("core-105b"),
  "openai-compatible": () =>
    createOpenAICompatible({
      name: "trunkline",
      baseURL: `${server.url}/v1`,
      ...common,
      includeUsage: true,
      supportsStructuredOutputs: true
    })(
      "core-105b"
    ),
  "openai, responses": () => createOpenAI({ baseURL: `${server.url}/v2`, ...common }).responses("model-g"),
  "open-responses": () =>
    createOpenResponses({ name: "trunkline", url: `${server.url}/v2/responses`, ...common })("model-g")
}

/** Responses are stateless: the client must not count on a store. */
const providerOptions = { openai: { store: false } }

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

describe.each(Object.entries(providers))("the AI SDK with %s", (name, model) => {
  const asked = () => ({ model: model(), providerOptions, maxRetries: 0 })

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

  it.each([false, true])("goes round with tools, streamed: %s", async (isStreamed) => {
    const options = {
      ...asked(),
      prompt: "Get the weather of the city Pune, please",
      tools: { get_weather: weather },
      stopWhen: stepCountIs(3)
    }
    const result = isStreamed ? streamText(options) : await generateText(options)
    const steps = await result.steps
    assert.deepStrictEqual(steps.map(({ finishReason }) => finishReason), ["tool-calls", "stop"])
    assert.include(await result.text, "31")
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

  it("meets a failure in the middle of a stream", async () => {
    const errors: Array<unknown> = []
    const result = streamText({
      ...asked(),
      prompt: "think and break",
      onError: ({ error }) => void errors.push(error)
    })
    const parts: Array<string> = []
    for await (const { type } of result.fullStream) parts.push(type)
    const finish = await Promise.resolve(result.finishReason).catch(() => "error")
    if (name === "open-responses") assert.strictEqual(finish, "error", "this client tells of it by its finish only")
    else assert.include(parts, "error")
    assert.notStrictEqual(finish, "stop")
  })
})
