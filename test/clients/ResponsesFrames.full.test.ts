import { createOpenResponses } from "@ai-sdk/open-responses"
import { createOpenAI } from "@ai-sdk/openai"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { ModelFailed, responsesEnvelope } from "@trunkline/errors"
import { Responses } from "@trunkline/responses"
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai"
import { Cause, Effect, type Layer, ManagedRuntime, Stream } from "effect"
import OpenAI, { APIError, BadRequestError } from "openai"
import {
  args,
  finish,
  pieceOf,
  reasoning,
  requestId,
  scripted,
  start,
  text,
  ticket,
  weather,
  whole,
  withScriptedModel
} from "../../packages/responses/test/Fixtures.js"

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

const runtimes: Array<ManagedRuntime.ManagedRuntime<Responses, never>> = []

afterEach(() => Promise.all(runtimes.splice(0).map((runtime) => runtime.dispose())))

const answer = (body: unknown) =>
  Effect.gen(function*() {
    const responses = yield* Responses
    const request = yield* responses.read(body)
    return request.stream
      ? new Response(Stream.toReadableStream(responses.stream(request, ticket)), {
        headers: { "content-type": "text/event-stream" }
      })
      : Response.json(yield* responses.create(request, ticket))
  }).pipe(Effect.catchAll((failure) => {
    const { body, status } = responsesEnvelope(failure, requestId)
    return Effect.succeed(Response.json(body, { status }))
  }))

/** A `fetch` that calls `Responses` directly, without a server. */
const fetchFrom = (layer: Layer.Layer<Responses>): typeof fetch => {
  const runtime = ManagedRuntime.make(layer)
  runtimes.push(runtime)
  return (_, init) => runtime.runPromise(answer(JSON.parse(String(init?.body))))
}

const apiKey = "sk_test_x_y"

const openai = (layer: Layer.Layer<Responses>) =>
  new OpenAI({ apiKey, baseURL: "http://127.0.0.1/v2", fetch: fetchFrom(layer), maxRetries: 0 })

const hello = [reasoning("Hm."), text("Hello"), text(" there"), finish()]
const body = { model: "model-g", input: "hi" } as const
const broken = scripted({
  chunks: [[pieceOf(text("Hal"))]],
  ending: Cause.fail(new ModelFailed({ message: "It broke" }))
})

describe("the openai client", () => {
  it("reads whole responses", async () => {
    const response = await openai(withScriptedModel({ when: () => true, reply: "Hello" })).responses.create(body)
    assert.deepStrictEqual([response.output_text, response.status, response.id], ["Hello", "completed", requestId])
    assert.deepStrictEqual(response.output.map(({ type }) => type), ["reasoning", "message"])
  })

  it("reads streams to their last event", async () => {
    const stream = await openai(scripted({ chunks: whole(hello) })).responses.create({ ...body, stream: true })
    let received = ""
    let last = ""
    for await (const event of stream) {
      if (event.type === "response.output_text.delta") received += event.delta
      last = event.type
    }
    assert.deepStrictEqual([received, last], ["Hello there", "response.completed"])
  })

  it("assembles the response from its events", async () => {
    const response = await openai(scripted({ chunks: whole(hello) })).responses.stream(body).finalResponse()
    assert.deepStrictEqual([response.output_text, response.status], ["Hello there", "completed"])
    assert.strictEqual(response.usage?.total_tokens, 12)
  })

  it("recognizes an incomplete response", async () => {
    const layer = scripted({ chunks: whole([text("Hel"), finish("length")]) })
    const response = await openai(layer).responses.stream(body).finalResponse()
    assert.deepStrictEqual(
      [response.output_text, response.status, response.incomplete_details?.reason],
      ["Hel", "incomplete", "max_output_tokens"]
    )
  })

  it("throws the failure of a response that broke off", async () => {
    const client = openai(broken)
    const byEvents = async () => {
      for await (const _ of await client.responses.create({ ...body, stream: true }));
    }
    for (const reading of [byEvents(), client.responses.stream(body).finalResponse()]) {
      const failure = await reading.then(() => undefined, (error: unknown) => error)
      assert.instanceOf(failure, APIError)
      const { code, message } = failure instanceof APIError ? failure : {}
      assert.deepStrictEqual([code, message], ["model_call_failed", "It broke"])
    }
  })

  it("accepts output items as input", async () => {
    const client = openai(withScriptedModel(...weather))
    const tools = [{ type: "function", name: "weather", parameters: {}, strict: null } as const]
    const question = { role: "user", content: "What is the weather?" } as const
    const first = await client.responses.create({ model: "model-g", tools, input: [question] })
    const calls = first.output.flatMap((item) => item.type === "function_call" ? [item] : [])
    const results = calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "sunny" } as const))
    const sentBack = first.output.flatMap((item) =>
      item.type === "reasoning" || item.type === "function_call" ? [item] : []
    )
    assert.lengthOf(sentBack, first.output.length)
    const input = [question, ...sentBack, ...results]
    assert.strictEqual((await client.responses.create({ model: "model-g", tools, input })).output_text, "It is sunny.")
  })

  it("gets the field of an error in `param`", async () => {
    const failure = await openai(scripted()).responses.create({ ...body, store: true }).then(
      () => undefined,
      (error: unknown) => error
    )
    assert.instanceOf(failure, BadRequestError)
    const { code, param, status } = failure instanceof BadRequestError ? failure : {}
    assert.deepStrictEqual([status, code, param], [400, "invalid_request_error", "store"])
  })
})

const tools = {
  weather: tool({
    inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
    execute: ({ city }) => `sunny in ${city}`
  })
}

const providers = {
  "@ai-sdk/openai": {
    modelFrom: (layer: Layer.Layer<Responses>) =>
      createOpenAI({ apiKey, baseURL: "http://127.0.0.1/v2", fetch: fetchFrom(layer) }).responses("model-g"),
    providerOptions: { openai: { store: false } }
  },
  "@ai-sdk/open-responses": {
    modelFrom: (layer: Layer.Layer<Responses>) =>
      createOpenResponses({ name: "trunkline", url: "http://127.0.0.1/v2/responses", fetch: fetchFrom(layer) })(
        "model-g"
      ),
    providerOptions: {}
  }
}

for (const [name, { modelFrom, providerOptions }] of Object.entries(providers)) {
  const common = { providerOptions, maxRetries: 0, onError: () => {} }

  describe(`the AI SDK with ${name}`, () => {
    it("runs tools until there is a text", async () => {
      const result = await generateText({
        ...common,
        model: modelFrom(withScriptedModel(...weather)),
        tools,
        stopWhen: stepCountIs(3),
        prompt: "What is the weather?"
      })
      assert.deepStrictEqual([result.text, result.steps.length, result.finishReason], ["It is sunny.", 2, "stop"])
      assert.deepStrictEqual(result.steps[0]?.toolResults.map(({ output }) => output), ["sunny in Pune"])
    })

    it("runs tools of streams until there is a text", async () => {
      const result = streamText({
        ...common,
        model: modelFrom(withScriptedModel(...weather)),
        tools,
        stopWhen: stepCountIs(3),
        prompt: "What is the weather?"
      })
      await result.consumeStream()
      assert.deepStrictEqual([await result.text, (await result.steps).length], ["It is sunny.", 2])
    })

    it("reads reasoning, text and calls of streams", async () => {
      const chunks = whole([
        ...hello.slice(0, -1),
        start(0, "weather"),
        args(0, "{\"city\":"),
        args(0, "\"Pune\"}"),
        finish("tool_calls")
      ])
      const result = streamText({ ...common, model: modelFrom(scripted({ chunks })), tools, prompt: "hi" })
      await result.consumeStream()
      assert.deepStrictEqual(
        [await result.reasoningText, await result.text, await result.finishReason],
        ["Hm.", "Hello there", "tool-calls"]
      )
      assert.deepStrictEqual((await result.toolCalls).map(({ input }) => input), [{ city: "Pune" }])
      assert.strictEqual((await result.usage).totalTokens, 12)
    })

    it("recognizes incomplete and failed responses", async () => {
      const cut = scripted({ chunks: whole([text("Hel"), finish("length")]) })
      const reasonOf = async (layer: Layer.Layer<Responses>) => {
        const result = streamText({ ...common, model: modelFrom(layer), prompt: "hi" })
        await result.consumeStream()
        return [await result.text, await result.finishReason]
      }
      assert.deepStrictEqual(await reasonOf(cut), ["Hel", "length"])
      assert.deepStrictEqual(await reasonOf(broken), ["Hal", "error"])
    })
  })
}

describe("the AI SDK with stored responses", () => {
  it("gets an error that explains how to turn storage off", async () => {
    const { modelFrom } = providers["@ai-sdk/openai"]
    const failure = await generateText({
      model: modelFrom(withScriptedModel(...weather)),
      maxRetries: 0,
      tools,
      stopWhen: stepCountIs(3),
      prompt: "What is the weather?"
    }).then(() => "", String)
    assert.include(failure, "In the AI SDK, set store to false")
  })
})
