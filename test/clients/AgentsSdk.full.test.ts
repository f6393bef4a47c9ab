import { assert, describe, it } from "@effect/vitest"
import {
  Agent,
  type AgentInputItem,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool
} from "@openai/agents"
import { testKeys } from "@trunkline/http-api/testing"
import OpenAI from "openai"
import { type Ask, readsFailures } from "./Failures.js"
import { script } from "./Script.js"
import { servedWith } from "./Server.js"

setTracingDisabled(true)

const server = servedWith(script)

interface Place {
  readonly url: string
  readonly apiKey: string
}

const clientOf = ({ apiKey, url }: Place) => new OpenAI({ baseURL: `${url}/v2`, apiKey, maxRetries: 0 })

interface Way {
  readonly model: (place: Place, id: string) => Model
  /** The status of a model that failed. */
  readonly failed: 502 | 503
}

const ways: Readonly<Record<string, Way>> = {
  chat: { model: (place, id) => new OpenAIChatCompletionsModel(clientOf(place), id), failed: 503 },
  responses: { model: (place, id) => new OpenAIResponsesModel(clientOf(place), id), failed: 502 }
}

const giving = (name: string, result: object) =>
  tool({
    name,
    description: `Gives what ${name} finds`,
    parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
    strict: false,
    execute: () => JSON.stringify(result)
  })

describe.each(Object.entries(ways))("OpenAI's agents SDK on %s", (_, { failed, model }) => {
  const agent = (options: Partial<ConstructorParameters<typeof Agent>[0]> = {}) =>
    new Agent({ name: "Guide", model: model({ url: server.url, apiKey: testKeys.beta }, "core-105b"), ...options })

  it("completes, with usage", async () => {
    const { finalOutput, runContext } = await run(agent({ instructions: "Be brief." }), "Please count to three")
    assert.strictEqual(finalOutput, "One, two, three.")
    assert.isAbove(runContext.usage.outputTokens, 0)
  })

  it("streams a completion", async () => {
    const result = await run(agent(), "Please count to three", { stream: true })
    const pieces: Array<string> = []
    for await (const piece of result.toTextStream()) pieces.push(piece)
    await result.completed
    assert.isAbove(pieces.length, 1)
    assert.deepStrictEqual([pieces.join(""), result.finalOutput], ["One, two, three.", "One, two, three."])
  })

  it.each([false, true])("calls tools in two rounds, streamed: %s", async (stream) => {
    const guide = agent({ tools: [giving("find_city", { city: "Pune" }), giving("get_weather", { celsius: 31 })] })
    const result = stream
      ? await run(guide, "Is it warm there?", { stream: true })
      : await run(guide, "Is it warm there?")
    if ("completed" in result) await result.completed
    assert.strictEqual(result.finalOutput, "Found: celsius: 31")
    assert.deepStrictEqual(
      result.newItems.map(({ type }) => type).filter((type) => type !== "reasoning_item"),
      ["tool_call_item", "tool_call_output_item", "tool_call_item", "tool_call_output_item", "message_output_item"]
    )
  })

  it.each([false, true])("continues a conversation, streamed: %s", async (stream) => {
    const kind = agent({ instructions: "Be kind." })
    const { history } = await run(kind, "Hi, my name is Asha")
    const more: Array<AgentInputItem> = [...history, {
      role: "user",
      content: [{ type: "input_text", text: "Who am I?" }]
    }]
    const result = stream ? await run(kind, more, { stream: true }) : await run(kind, more)
    if ("completed" in result) await result.completed
    assert.strictEqual(result.finalOutput, "You are Asha.")
  })

  it("generates an object by its schema", async () => {
    const properties = { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } } as const
    const planner = agent({
      outputType: {
        type: "json_schema",
        name: "weather",
        strict: true,
        schema: { type: "object", properties, required: ["city", "days"], additionalProperties: false }
      }
    })
    const { finalOutput } = await run(planner, "The weather in Pune for 3 days")
    assert.hasAllKeys(finalOutput, ["city", "days"])
  })

  const ask: Ask = async ({ apiKey, model: id, onText, prompt, signal, streamed, temperature, url }) => {
    const guide = agent({
      model: model({ url, apiKey }, id),
      ...(temperature !== undefined && { modelSettings: { temperature } })
    })
    const options = signal === undefined ? {} : { signal }
    if (!streamed) return String((await run(guide, prompt, options)).finalOutput)
    const result = await run(guide, prompt, { ...options, stream: true })
    let text = ""
    for await (const piece of result.toTextStream()) {
      text += piece
      onText?.()
    }
    await result.completed
    return text
  }

  readsFailures(server, { ask, failed })
})
