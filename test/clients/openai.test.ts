import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import OpenAI, { APIError, BadRequestError, NotFoundError, PermissionDeniedError } from "openai"
import { type Ask, readsFailures } from "./Failures.js"
import { failing, script } from "./Script.js"
import { servedWith, withComments } from "./Server.js"

const server = servedWith(script)

const client = (version: "v1" | "v2", apiKey: string = testKeys.beta) =>
  new OpenAI({ baseURL: `${server.url}/${version}`, apiKey, maxRetries: 0 })

const question = [{ role: "user" as const, content: "Please count to three" }]

const breaking = { model: "core-105b", input: failing.broken }

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

    it.each([false, true])("goes two rounds with tools, streamed: %s", async (stream) => {
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

    it("goes on with a conversation, its words in parts", async () => {
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

    it("goes two rounds with tools, streamed", async () => {
      const tools = ["find_city", "get_weather"].map((name) => ({
        type: "function" as const,
        name,
        parameters: { type: "object", properties: {} },
        strict: false
      }))
      const results: Readonly<Record<string, object>> = { find_city: { city: "Pune" }, get_weather: { celsius: 31 } }
      const input: Array<OpenAI.Responses.ResponseInputItem> = [{ role: "user", content: "Is it warm there?" }]
      const round = async () => {
        const { output, output_text } = await client("v2").responses.stream({ model: "model-g", input, tools })
          .finalResponse()
        for (const item of output) {
          if (item.type === "reasoning" || item.type === "message") input.push(item)
          if (item.type !== "function_call") continue
          const { parsed_arguments: _, ...call } = item
          const { call_id, name } = item
          input.push(call, { type: "function_call_output", call_id, output: JSON.stringify(results[name]) })
        }
        return output_text
      }
      assert.deepStrictEqual([await round(), await round(), await round()], ["", "", "Found: celsius: 31"])
    })

    it("goes on with a conversation", async () => {
      const first = await client("v2").responses.create({ model: "core-105b", input: "Hi, my name is Asha" })
      const answers = first.output.flatMap((item) => item.type === "message" ? [item] : [])
      const second = await client("v2").responses.create({
        model: "core-105b",
        input: [
          { role: "developer", content: [{ type: "input_text", text: "Be kind." }] },
          { role: "user", content: [{ type: "input_text", text: "Hi, my name is Asha" }] },
          ...answers,
          { role: "user", content: "Who am I?" }
        ]
      })
      assert.strictEqual(second.output_text, "You are Asha.")
    })

    it("knows one that was cut short", async () => {
      const cut = await client("v2").responses.create({
        model: "core-105b",
        input: "Please count to three",
        max_output_tokens: 1
      })
      assert.deepStrictEqual([cut.status, cut.incomplete_details?.reason], ["incomplete", "max_output_tokens"])
    })

    it.each([
      ["its events", async () => {
        for await (const _ of await client("v2").responses.create({ ...breaking, stream: true }));
      }],
      ["its helper", () => client("v2").responses.stream(breaking).finalResponse()]
    ])("meets a failure in the middle of a stream as an error with its code, by %s", async (_, reading) => {
      const error = await reading().then(() => null, (error: unknown) => error)
      assert.instanceOf(error, APIError)
      const { code, type } = error instanceof APIError ? error : {}
      assert.deepStrictEqual([code, type], ["model_overloaded", "server_error"])
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

  it("knows the kind of a refusal, its code and the field at fault", async () => {
    const errorOf = (asking: Promise<unknown>) => asking.then(() => null, (error: unknown) => error)
    const { completions } = client("v1").chat
    const wrong = await errorOf(completions.create({ model: "core-105b", messages: question, temperature: 9 }))
    assert.instanceOf(wrong, BadRequestError)
    assert.deepInclude(wrong, { code: "invalid_request_error", type: "invalid_request_error", param: "temperature" })
    const stranger = client("v1", "sk_test_nobody_knows").chat.completions
    const refused = await errorOf(stranger.create({ model: "core-105b", messages: question }))
    assert.instanceOf(refused, PermissionDeniedError, "refused keys are 403")
    assert.deepInclude(refused, { code: "invalid_api_key_error", type: "authentication_error", param: "" })
  })
})

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

const respondWith: Ask = async ({ apiKey, model, onText, prompt, signal, streamed, temperature, url }) => {
  const { responses } = new OpenAI({ baseURL: `${url}/v2`, apiKey, maxRetries: 0 })
  const body = { model, input: prompt, temperature: temperature ?? null }
  if (!streamed) return (await responses.create(body, { signal })).output_text
  let text = ""
  for await (const event of await responses.create({ ...body, stream: true }, { signal })) {
    if (event.type !== "response.output_text.delta") continue
    text += event.delta
    onText?.()
  }
  return text
}

describe("openai for JavaScript on chat", () => {
  readsFailures(server, { ask: chatWith, failed: 503 })
})

describe("openai for JavaScript on responses", () => {
  readsFailures(server, { ask: respondWith, failed: 502 })
})
