import { assert, describe, it } from "@effect/vitest"
import OpenAI, { APIError } from "openai"
import { type Ask, readsFailures } from "./Failures.js"
import { clientsOf, question, weather } from "./OpenaiFixtures.js"
import { failing, script } from "./Script.js"
import { servedWith } from "./Server.js"

const server = servedWith(script)
const client = clientsOf(server)

const chatWith: Ask = async ({ apiKey, model, onText, prompt, signal, streamed, temperature, url }) => {
  const { completions } = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 }).chat
  const body = { model, messages: [{ role: "user" as const, content: prompt }], temperature: temperature ?? null }
  if (!streamed) return (await completions.create(body, { signal })).choices[0]?.message.content ?? ""
  let text = ""
  for await (const { choices: [choice] } of await completions.create({ ...body, stream: true }, { signal })) {
    text += choice?.delta.content ?? ""
    if (text !== "") onText?.()
  }
  return text
}

describe("openai for JavaScript", () => {
  it("lists the models", async () => {
    const models = await client("v2").models.list()
    assert.deepStrictEqual(models.data.map(({ id }) => id), ["core-105b", "model-g", "model-v", "model-d"])
    assert.strictEqual((await client("v2").models.retrieve("model-d")).id, "model-d")
    const core = await client("v1").models.list()
    assert.sameMembers(core.data.map(({ id }) => id), ["core-105b", "core-105b-conversations"])
    assert.strictEqual((await client("v1").models.retrieve("core-105b-conversations")).object, "model")
  })

  describe.each(["v1", "v2"] as const)("chat %s", (version) => {
    it("creates a completion, and knows its request id", async () => {
      const completion = await client(version).chat.completions.create({ model: "core-105b", messages: question })
      assert.strictEqual(completion.choices[0]?.message.content, "One, two, three.")
      assert.strictEqual(completion._request_id, completion.id)
    })

    it("streams one with its helper, which finds the same and the usage", async () => {
      const runner = client(version).chat.completions.stream({
        model: "core-105b",
        messages: question,
        stream_options: { include_usage: true }
      })
      const pieces: Array<string> = []
      runner.on("content.delta", ({ delta }) => pieces.push(delta))
      const completion = await runner.finalChatCompletion()
      assert.strictEqual(pieces.join(""), "One, two, three.")
      assert.strictEqual(completion.choices[0]?.finish_reason, "stop")
      assert.isAbove(completion.usage?.completion_tokens ?? 0, 0)
    })

    it("calls a tool, and continues with its result", async () => {
      const completion = await client(version).chat.completions.create({
        model: "core-105b",
        messages: [{ role: "user", content: "What is the weather in Pune?" }],
        tools: [{ type: "function", function: { name: "get_weather", parameters: weather } }],
        tool_choice: "required"
      })
      const [choice] = completion.choices
      const [call] = choice?.message.tool_calls ?? []
      assert.strictEqual(choice?.finish_reason, "tool_calls")
      assert.isTrue(call?.type === "function")
      if (choice === undefined || call?.type !== "function") return
      assert.strictEqual(call.function.name, "get_weather")
      assert.isString(JSON.parse(call.function.arguments).city)
      const after = await client(version).chat.completions.create({
        model: "core-105b",
        messages: [
          { role: "user", content: "What is the weather in Pune?" },
          choice.message,
          { role: "tool", tool_call_id: call.id, content: JSON.stringify({ celsius: 31 }) }
        ]
      })
      assert.include(after.choices[0]?.message.content ?? "", "31")
    })

    it("runs tools by itself", async () => {
      const values: Array<unknown> = []
      const runner = client(version).chat.completions.runTools({
        model: "core-105b",
        messages: [{ role: "user", content: "Get the weather in Pune, please" }],
        tools: [{
          type: "function",
          function: {
            name: "get_weather",
            description: "Get the weather of a city",
            parameters: weather,
            parse: (text: string): object => JSON.parse(text),
            function: (args: object) => {
              values.push(args)
              return JSON.stringify({ celsius: 31 })
            }
          }
        }]
      })
      assert.include(await runner.finalContent(), "31")
      assert.strictEqual(values.length, 1)
    })

    it.each([false, true])("calls tools in two rounds, streamed: %s", async (stream) => {
      const called: Array<string> = []
      const functionOf = (name: string, result: object) => ({
        type: "function" as const,
        function: {
          name,
          description: `Gives what ${name} finds`,
          parameters: { type: "object", properties: {} },
          parse: (text: string): object => JSON.parse(text),
          function: () => {
            called.push(name)
            return JSON.stringify(result)
          }
        }
      })
      const options = {
        model: "core-105b",
        messages: [{ role: "user" as const, content: "Is it warm there?" }],
        tools: [functionOf("find_city", { city: "Pune" }), functionOf("get_weather", { celsius: 31 })]
      }
      const { completions } = client(version).chat
      const runner = stream ? completions.runTools({ ...options, stream }) : completions.runTools(options)
      assert.strictEqual(await runner.finalContent(), "Found: celsius: 31")
      assert.deepStrictEqual(called, ["find_city", "get_weather"])
    })

    it("continues a conversation with content parts", async () => {
      const { choices: [first] } = await client(version).chat.completions.create({
        model: "core-105b",
        messages: [{ role: "user", content: "Hi, my name is Asha" }]
      })
      const parts = (text: string) => [{ type: "text" as const, text }]
      const { choices: [second] } = await client(version).chat.completions.create({
        model: "core-105b",
        messages: [
          { role: "system", content: parts("Be kind.") },
          { role: "user", content: parts("Hi, my name is Asha") },
          { role: "assistant", content: parts(first?.message.content ?? "") },
          { role: "assistant", content: null },
          { role: "user", content: "Who am I?" }
        ]
      })
      assert.strictEqual(second?.message.content, "You are Asha.")
    })

    it("parses a completion by its schema", async () => {
      const completion = await client(version).chat.completions.parse({
        model: "core-105b",
        messages: [{ role: "user", content: "The weather in Pune for 3 days" }],
        response_format: { type: "json_schema", json_schema: { name: "weather", schema: weather, strict: true } }
      })
      assert.isString(JSON.parse(completion.choices[0]?.message.content ?? "").city)
    })

    it("reports a failure in the middle of a stream as an error with its code", async () => {
      const stream = await client(version).chat.completions.create({
        model: "core-105b",
        messages: [{ role: "user", content: failing.broken }],
        stream: true
      })
      const reading = (async () => {
        for await (const _ of stream);
      })()
      const error = await reading.then(() => null, (error: unknown) => error)
      assert.instanceOf(error, APIError)
      assert.strictEqual(error instanceof APIError ? error.code : null, "model_call_error")
    })
  })
})

describe("openai for JavaScript on chat", () => {
  readsFailures(server, { ask: chatWith, failed: 503 })
})
