import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import OpenAI, { APIError, BadRequestError, NotFoundError, PermissionDeniedError } from "openai"
import { type Ask, readsFailures } from "./Failures.js"
import { clientsOf, question, weather } from "./OpenaiFixtures.js"
import { failing, script } from "./Script.js"
import { servedWith, withComments } from "./Server.js"

const server = servedWith(script)
const client = clientsOf(server)

const breaking = { model: "core-105b", input: failing.broken }

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

describe("openai for JavaScript", () => {
  describe("responses", () => {
    it("creates one, and finds its text", async () => {
      const response = await client("v2").responses.create({ model: "core-105b", input: "Please count to three" })
      assert.strictEqual(response.output_text, "One, two, three.")
      assert.strictEqual(response._request_id, response.id)
    })

    it("streams one with its helper, reasoning first on model-g", async () => {
      const runner = client("v2").responses.stream({ model: "model-g", input: "Please count to three" })
      const types = new Set<string>()
      runner.on("event", ({ type }) => types.add(type))
      const response = await runner.finalResponse()
      assert.deepStrictEqual(response.output.map(({ type }) => type), ["reasoning", "message"])
      assert.strictEqual(response.output_text, "One, two, three.")
      assert.isTrue(types.has("response.reasoning_summary_text.delta"))
      assert.strictEqual(response.status, "completed")
    })

    it("calls a tool and continues, sending all items back", async () => {
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

    it("parses a completion by its schema", async () => {
      const response = await client("v2").responses.parse({
        model: "core-105b",
        input: "The weather in Pune for 3 days",
        text: { format: { type: "json_schema", name: "weather", schema: weather, strict: true } }
      })
      assert.isString(JSON.parse(response.output_text).city)
    })

    it("calls tools in two rounds, streamed", async () => {
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

    it("continues a conversation", async () => {
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

    it("recognizes a truncated one", async () => {
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
    ])("reports a failure in the middle of a stream as an error with its code, by %s", async (_, reading) => {
      const error = await reading().then(() => null, (error: unknown) => error)
      assert.instanceOf(error, APIError)
      const { code, type } = error instanceof APIError ? error : {}
      assert.deepStrictEqual([code, type], ["model_overloaded", "server_error"])
    })

    it("rejects stored responses", async () => {
      const response = client("v2").responses.retrieve("anything")
      assert.instanceOf(await response.then(() => null, (error: unknown) => error), NotFoundError)
    })
  })

  it("ignores the comments of a quiet stream", async () => {
    const patient = new OpenAI({ baseURL: `${server.url}/v2`, apiKey: testKeys.beta, fetch: withComments })
    const chat = await patient.chat.completions.stream({ model: "core-105b", messages: question }).finalContent()
    const response = await patient.responses.stream({ model: "core-105b", input: "Please count to three" })
      .finalResponse()
    assert.deepStrictEqual([chat, response.output_text], ["One, two, three.", "One, two, three."])
  })

  it("recognizes the type, code and param of an error", async () => {
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

describe("openai for JavaScript on responses", () => {
  readsFailures(server, { ask: respondWith, failed: 502 })
})
