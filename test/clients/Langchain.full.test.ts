import { assert, describe, it } from "@effect/vitest"
import { ChatOpenAI } from "@langchain/openai"
import { testKeys } from "@trunkline/http-api/testing"
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  createAgent,
  HumanMessage,
  providerStrategy,
  SystemMessage,
  tool
} from "langchain"
import { type Ask, type Asked, readsFailures } from "./Failures.js"
import { script } from "./Script.js"
import { servedWith } from "./Server.js"

const server = servedWith(script)

const giving = (name: string, result: object) =>
  tool(() => JSON.stringify(result), {
    name,
    description: `Gives what ${name} finds`,
    schema: { type: "object", properties: {}, additionalProperties: true }
  })

const properties = { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } }
const weather = { type: "object" as const, properties, required: ["city", "days"], additionalProperties: false }

const ways = [["chat", false, 503], ["responses", true, 502]] as const

describe.each(ways)("LangChain on %s", (_, useResponsesApi, failed) => {
  const modelOf = (
    { apiKey, url, ...fields }: Pick<Asked, "apiKey" | "model" | "temperature" | "url">
  ) => new ChatOpenAI({ ...fields, apiKey, configuration: { baseURL: `${url}/v2` }, useResponsesApi, maxRetries: 0 })

  const model = () => modelOf({ url: server.url, apiKey: testKeys.beta, model: "core-105b" })

  const answerTo = async (messages: Array<BaseMessage>, streamed: boolean): Promise<BaseMessage> => {
    if (!streamed) return model().invoke(messages)
    let whole: AIMessageChunk | undefined
    for await (const piece of await model().stream(messages)) whole = whole?.concat(piece) ?? piece
    return whole ?? assert.fail("nothing came")
  }

  it("completes, with usage", async () => {
    const { text, usage_metadata } = await model().invoke("Please count to three")
    assert.strictEqual(text, "One, two, three.")
    assert.containsAllKeys(usage_metadata, ["input_tokens", "output_tokens"])
  })

  it("streams a completion", async () => {
    const pieces: Array<string> = []
    for await (const { text } of await model().stream("Please count to three")) if (text !== "") pieces.push(text)
    assert.isAbove(pieces.length, 1)
    assert.strictEqual(pieces.join(""), "One, two, three.")
  })

  const guide = () =>
    createAgent({
      model: model(),
      tools: [giving("find_city", { city: "Pune" }), giving("get_weather", { celsius: 31 })]
    })
  const question = { messages: [{ role: "user" as const, content: "Is it warm there?" }] }

  it("calls tools in two rounds as an agent", async () => {
    const { messages } = await guide().invoke(question)
    assert.deepStrictEqual(messages.map(({ type }) => type), ["human", "ai", "tool", "ai", "tool", "ai"])
    assert.strictEqual(messages.at(-1)?.text, "Found: celsius: 31")
  })

  it("calls tools in two rounds as a streaming agent", async () => {
    let said = ""
    for await (const [piece] of await guide().stream(question, { streamMode: "messages" })) {
      if (piece.type === "ai") said += piece.text
    }
    assert.strictEqual(said, "Found: celsius: 31")
  })

  it.each([false, true])("continues a conversation, streamed: %s", async (streamed) => {
    const hello = new HumanMessage("Hi, my name is Asha")
    const first = await answerTo([hello], streamed)
    const parts = (text: string) => [{ type: "text" as const, text }]
    const who = new HumanMessage({ content: parts("Who am I?") })
    const kind = new SystemMessage({ content: parts("Be kind.") })
    for (const earlier of [first, new AIMessage({ content: parts("Hello Asha.") })]) {
      assert.strictEqual((await answerTo([kind, hello, earlier, who], streamed)).text, "You are Asha.")
    }
  })

  it("generates an object by its schema, alone and as an agent", async () => {
    const prompt = "The weather in Pune for 3 days"
    const alone = await model().withStructuredOutput(weather, { name: "weather", method: "jsonSchema", strict: true })
      .invoke(prompt)
    assert.hasAllKeys(alone, ["city", "days"])
    const agent = createAgent({ model: model(), tools: [], responseFormat: providerStrategy(weather) })
    const { structuredResponse } = await agent.invoke({ messages: [{ role: "user", content: prompt }] })
    assert.hasAllKeys(structuredResponse, ["city", "days"])
  })

  const ask: Ask = async ({ onText, prompt, signal, streamed, ...place }) => {
    const options = signal === undefined ? {} : { signal }
    if (!streamed) return (await modelOf(place).invoke(prompt, options)).text
    let text = ""
    for await (const piece of await modelOf(place).stream(prompt, options)) {
      text += piece.text
      if (text !== "") onText?.()
    }
    return text
  }

  readsFailures(server, { ask, failed })
})
