import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, it } from "@effect/vitest"
import { Chat } from "@trunkline/chat"
import { type Failure, ModelFailed } from "@trunkline/errors"
import type { AnswerEvent } from "@trunkline/models"
import { generateText, jsonSchema, streamText, tool } from "ai"
import { Effect, Predicate, Runtime, Stream } from "effect"
import OpenAI from "openai"
import { chatWith, finish, piece, requestId, text, ticket, total, usage } from "../../packages/chat/test/Doubles.js"

const failure = new ModelFailed({ message: "The model's answer broke off" })

const events: ReadonlyArray<AnswerEvent> = [
  piece({ _tag: "Reasoning", text: "Hm." }),
  text("Let me"),
  text(" look."),
  piece({ _tag: "ToolStart", index: 0, id: "call_1", name: "find" }),
  piece({ _tag: "ToolArgs", index: 0, text: "{\"a\":" }),
  piece({ _tag: "ToolArgs", index: 0, text: "1}" }),
  piece({ _tag: "Finish", reason: "tool_calls" }),
  total
]

const whole = {
  choices: [{
    text: "Let me look.",
    reasoning: "Hm.",
    refusal: null,
    toolRequests: [{ id: "call_1", name: "find", arguments: "{\"a\":1}" }],
    finish: "tool_calls" as const,
    usage,
    logprobs: []
  }],
  usage
}

const chat = (stream: Stream.Stream<AnswerEvent, typeof failure> = Stream.fromIterable(events)) =>
  chatWith({ answered: Effect.succeed(whole), events: stream })

/** A `fetch` that calls chat directly, without a server. */
const chatFetch = Effect.map(Effect.runtime<Chat>(), (runtime) => (_: unknown, init?: { readonly body?: unknown }) => {
  const answer = Effect.gen(function*() {
    const chat = yield* Chat
    const body: unknown = JSON.parse(String(init?.body))
    const request = yield* chat.read("v2", body)
    return request.stream
      ? new Response(Stream.toReadableStreamRuntime(chat.stream(request, ticket), runtime), {
        headers: { "content-type": "text/event-stream" }
      })
      : Response.json(yield* chat.complete(request, ticket))
  })
  return Runtime.runPromise(runtime)(
    Effect.catchAll(answer, (error: Failure) => Effect.succeed(new Response(error.message, { status: 400 })))
  )
})

const settings = { apiKey: "sk_test_clients_0", baseURL: "http://127.0.0.1:8787/v2" }

const openai = Effect.map(chatFetch, (fetch) => new OpenAI({ ...settings, fetch, maxRetries: 0 }))

const models = Effect.map(chatFetch, (fetch) => ({
  "@ai-sdk/openai-compatible": createOpenAICompatible({ ...settings, name: "trunkline", fetch, includeUsage: true })(
    "core-105b"
  ),
  "createOpenAI().chat": createOpenAI({ ...settings, fetch }).chat("core-105b")
}))

const request = {
  model: "core-105b",
  messages: [{ role: "user" as const, content: "Hello" }],
  tools: [{ type: "function" as const, function: { name: "find", parameters: { type: "object" } } }]
}

const find = tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => "Found" })

describe("the openai client", () => {
  it.effect("assembles the same completion from a stream", () =>
    Effect.gen(function*() {
      const client = yield* openai
      const complete = yield* Effect.promise(() => client.chat.completions.create(request))
      const stream = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } })
      const gathered = yield* Effect.promise(() => stream.finalChatCompletion())
      const [ours] = complete.choices
      const [theirs] = gathered.choices
      assert.strictEqual(gathered.id, requestId)
      assert.deepStrictEqual(gathered.usage, complete.usage)
      assert.strictEqual(theirs?.finish_reason, ours?.finish_reason)
      assert.propertyVal(theirs?.message, "role", "assistant")
      assert.propertyVal(theirs?.message, "content", "Let me look.")
      assert.propertyVal(theirs?.message, "reasoning_content", "Hm.")
      const [call] = theirs?.message.tool_calls ?? []
      assert.deepInclude(call, { id: "call_1", type: "function" })
      assert.deepInclude(call?.function, { name: "find", arguments: "{\"a\":1}" })
    }).pipe(Effect.provide(chat())))

  it.effect("throws the error of a stream that fails midway, with its code", () =>
    Effect.gen(function*() {
      const client = yield* openai
      const error = yield* Effect.promise(async (): Promise<unknown> => {
        try {
          for await (const _ of await client.chat.completions.create({ ...request, stream: true })) continue
        } catch (error) {
          return error
        }
      })
      assert.isTrue(error instanceof OpenAI.APIError)
      assert.isTrue(Predicate.hasProperty(error, "code") && error.code === "model_call_error")
    }).pipe(Effect.provide(chat(Stream.concat(Stream.make(text("a")), Stream.fail(failure))))))

  it.effect("assembles several interleaved choices", () =>
    Effect.gen(function*() {
      const client = yield* openai
      const stream = client.chat.completions.stream({ ...request, n: 2 })
      const { choices } = yield* Effect.promise(() => stream.finalChatCompletion())
      assert.deepStrictEqual(choices.map(({ message }) => message.content), ["x", "y"])
    }).pipe(Effect.provide(chat(Stream.fromIterable([
      text("y", 1),
      text("x"),
      finish(1),
      finish(),
      total
    ])))))
})

describe("the AI SDK", () => {
  it.effect("reads whole and streamed completions", () =>
    Effect.gen(function*() {
      for (const [name, model] of Object.entries(yield* models)) {
        const complete = yield* Effect.promise(() => generateText({ model, prompt: "Hello", tools: { find } }))
        const stream = streamText({ model, prompt: "Hello", tools: { find } })
        for (
          const result of [
            { text: complete.text, calls: complete.toolCalls, usage: complete.usage, finish: complete.finishReason },
            yield* Effect.promise(async () => ({
              text: await stream.text,
              calls: await stream.toolCalls,
              usage: await stream.usage,
              finish: await stream.finishReason
            }))
          ]
        ) {
          assert.strictEqual(result.text, "Let me look.", name)
          assert.deepStrictEqual(result.calls.map(({ input, toolCallId, toolName }) => [toolCallId, toolName, input]), [
            ["call_1", "find", { a: 1 }]
          ])
          assert.deepInclude(result.usage, { inputTokens: 10, outputTokens: 5, totalTokens: 15 }, name)
          assert.strictEqual(result.finish, "tool-calls", name)
        }
      }
    }).pipe(Effect.provide(chat())))

  it.effect("reports the error of a stream that fails midway", () =>
    Effect.gen(function*() {
      for (const [name, model] of Object.entries(yield* models)) {
        const errors: Array<unknown> = []
        const stream = streamText({ model, prompt: "Hello", onError: ({ error }) => void errors.push(error) })
        yield* Effect.promise(() => stream.consumeStream())
        assert.strictEqual(errors.length, 1, name)
      }
    }).pipe(Effect.provide(chat(Stream.concat(Stream.make(text("a")), Stream.fail(failure))))))
})
