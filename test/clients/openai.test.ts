import { assert, describe, it } from "@effect/vitest"
import { ModelUnavailable } from "@trunkline/errors"
import { testKeys } from "@trunkline/http-api/testing"
import { userSays } from "@trunkline/models"
import OpenAI, { APIError, NotFoundError, PermissionDeniedError } from "openai"
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

const client = (version: "v1" | "v2", apiKey: string = testKeys.beta) =>
  new OpenAI({ baseURL: `${server.url}/${version}`, apiKey, maxRetries: 0 })

const question = [{ role: "user" as const, content: "Please count to three" }]

const weather = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } },
  required: ["city"],
  additionalProperties: false
}

describe("openai for JavaScript", () => {
  it("lists the models", async () => {
    const models = await client("v2").models.list()
    assert.deepStrictEqual(models.data.map(({ id }) => id), ["core-105b", "model-g", "model-v", "model-d"])
    assert.strictEqual((await client("v2").models.retrieve("model-d")).id, "model-d")
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

    it("calls a tool, and goes on with its result", async () => {
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
      const asked: Array<unknown> = []
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
              asked.push(args)
              return JSON.stringify({ celsius: 31 })
            }
          }
        }]
      })
      assert.include(await runner.finalContent(), "31")
      assert.strictEqual(asked.length, 1)
    })

    it("parses an answer by its schema", async () => {
      const completion = await client(version).chat.completions.parse({
        model: "core-105b",
        messages: [{ role: "user", content: "The weather in Pune for 3 days" }],
        response_format: { type: "json_schema", json_schema: { name: "weather", schema: weather, strict: true } }
      })
      assert.isString(JSON.parse(completion.choices[0]?.message.content ?? "").city)
    })

    it("meets a failure in the middle of a stream as an error with its code", async () => {
      const stream = await client(version).chat.completions.create({
        model: "core-105b",
        messages: [{ role: "user", content: "think and break" }],
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

  describe("responses", () => {
    it("creates one, and finds its text", async () => {
      const response = await client("v2").responses.create({ model: "core-105b", input: "Please count to three" })
      assert.strictEqual(response.output_text, "One, two, three.")
      assert.strictEqual(response._request_id, response.id)
    })

    it("streams one with its helper, thoughts first on model-g", async () => {
      const runner = client("v2").responses.stream({ model: "model-g", input: "Please count to three" })
      const types = new Set<string>()
      runner.on("event", ({ type }) => types.add(type))
      const response = await runner.finalResponse()
      assert.deepStrictEqual(response.output.map(({ type }) => type), ["reasoning", "message"])
      assert.strictEqual(response.output_text, "One, two, three.")
      assert.isTrue(types.has("response.reasoning_summary_text.delta"))
      assert.strictEqual(response.status, "completed")
    })

    it("calls a tool and goes on, sending everything back as it came", async () => {
      const tools = [{ type: "function", name: "get_weather", parameters: weather, strict: true }] as const
      const input = [{ role: "user" as const, content: "What is the weather in Pune?" }]
      const first = await client("v2").responses.create({
        model: "model-g",
        input,
        tools: [...tools],
        tool_choice: "required"
      })
      const call = first.output.find((item) => item.type === "function_call")
      assert.isDefined(call)
      if (call === undefined) return
      const result = { type: "function_call_output", call_id: call.call_id, output: JSON.stringify({ celsius: 31 }) }
      const second = await client("v2").responses.create({
        model: "model-g",
        input: JSON.parse(JSON.stringify([...input, ...first.output, result])),
        tools: [...tools]
      })
      assert.include(second.output_text, "31")
    })

    it("parses an answer by its schema", async () => {
      const response = await client("v2").responses.parse({
        model: "core-105b",
        input: "The weather in Pune for 3 days",
        text: { format: { type: "json_schema", name: "weather", schema: weather, strict: true } }
      })
      assert.isString(JSON.parse(response.output_text).city)
    })

    it("knows one that was cut short, and one that failed", async () => {
      const cut = await client("v2").responses.create({
        model: "core-105b",
        input: "Please count to three",
        max_output_tokens: 1
      })
      assert.deepStrictEqual([cut.status, cut.incomplete_details?.reason], ["incomplete", "max_output_tokens"])
      const failed = await client("v2").responses.stream({ model: "core-105b", input: "think and break" })
        .finalResponse()
      assert.strictEqual(failed.status, "failed")
      assert.strictEqual(String(failed.error?.code), "model_overloaded")
    })

    it("is refused what would need a memory", async () => {
      const response = client("v2").responses.retrieve("anything")
      assert.instanceOf(await response.then(() => null, (error: unknown) => error), NotFoundError)
    })
  })

  it("passes over the comments of a quiet stream", async () => {
    const patient = new OpenAI({ baseURL: `${server.url}/v2`, apiKey: testKeys.beta, fetch: withComments })
    const chat = await patient.chat.completions.stream({ model: "core-105b", messages: question }).finalContent()
    const response = await patient.responses.stream({ model: "core-105b", input: "Please count to three" })
      .finalResponse()
    assert.deepStrictEqual([chat, response.output_text], ["One, two, three.", "One, two, three."])
  })

  it("meets every refusal as its own error class, with the code of the envelope", async () => {
    const noKey = client("v1", "sk_test_nobody_knows").chat.completions.create({
      model: "core-105b",
      messages: question
    })
    const error = await noKey.then(() => null, (error: unknown) => error)
    assert.isTrue(error instanceof PermissionDeniedError, "refused keys are 403")
    if (error instanceof APIError) assert.strictEqual(error.code, "invalid_api_key_error")
  })
})
