import { assert, describe, it } from "@effect/vitest"
import { Chat } from "@trunkline/chat"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Answers, type Completion, deltasOf, emptyCompletion, LanguageModel, TokenCounter } from "@trunkline/models"
import { always, ScriptedModel } from "@trunkline/scripted-model"
import { Effect, FastCheck, Layer, Stream } from "effect"
import { bare, ticket } from "./Doubles.js"
import { chunksIn, framesOf, messageIn } from "./Frames.js"

const answeredBy = (model: Layer.Layer<LanguageModel>) =>
  Chat.layer.pipe(Layer.provide(Answers.layer), Layer.provide(Layer.merge(model, TokenCounter.layer)))

const saying = (completion: Completion) =>
  Layer.succeed(LanguageModel, {
    generate: () => Effect.succeed(completion),
    stream: () => Stream.fromIterable(deltasOf(completion))
  })

/** The messages of an answer that comes whole, and of the same one piece by piece. */
const bothWays = (fields: object = {}) =>
  Effect.gen(function*() {
    const chat = yield* Chat
    const whole = yield* chat.complete(yield* chat.read("v2", { ...bare(), ...fields }), ticket)
    const chunks = chunksIn(yield* framesOf({ ...fields, stream_options: { include_usage: true } }))
    return {
      whole: whole.choices.map(({ finish_reason, logprobs, message }) => ({
        roles: [message.role],
        content: message.content ?? "",
        refusal: message.refusal,
        reasoning_content: message.reasoning_content,
        tool_calls: message.tool_calls ?? [],
        logprobs: logprobs?.content ?? [],
        finish: [finish_reason]
      })),
      pieces: whole.choices.map(({ index }) => messageIn(chunks, index)),
      usages: [whole.usage, chunks.at(-1)?.usage]
    }
  })

const words = FastCheck.string({ unit: "grapheme", maxLength: 40 })
const someWords = FastCheck.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
const completions = FastCheck.record({
  text: words,
  reasoning: words,
  refusal: FastCheck.option(someWords),
  toolRequests: FastCheck.array(FastCheck.record({ id: someWords, name: someWords, arguments: words }), {
    maxLength: 3
  }),
  finish: FastCheck.constantFrom("stop" as const, "length" as const, "tool_calls" as const, "content_filter" as const)
})

describe("an answer piece by piece", () => {
  it.effect("is what it is as a whole", () =>
    Effect.gen(function*() {
      for (const parts of FastCheck.sample(completions, { numRuns: propertyRuns(60), seed: 11 })) {
        const model = answeredBy(saying({ ...emptyCompletion, ...parts }))
        const { pieces, usages, whole } = yield* Effect.provide(bothWays({ n: 2 }), model)
        assert.deepStrictEqual<unknown>(pieces, whole)
        assert.deepStrictEqual(usages[0], usages[1])
      }
    }))

  const asked: ReadonlyArray<readonly [about: string, fields: object]> = [
    ["words", {}],
    ["several answers", { n: 3, seed: 5 }],
    ["words until a stop", { stop: ["said", "xyz"] }],
    ["thoughts", { reasoning_effort: "high" }],
    ["likelihoods", { logprobs: true, top_logprobs: 2 }]
  ]

  for (const [about, fields] of asked) {
    it.effect(`is what it is as a whole, when the scripted model is asked for ${about}`, () =>
      Effect.gen(function*() {
        const { pieces, whole } = yield* bothWays(fields)
        assert.deepStrictEqual<unknown>(pieces, whole)
      }).pipe(Effect.provide(answeredBy(ScriptedModel.layer()))))
  }

  it.effect("asks for functions as it does as a whole", () =>
    Effect.gen(function*() {
      const tools = [{ type: "function", function: { name: "find" } }]
      const { pieces, whole } = yield* bothWays({ tools, tool_choice: "required" })
      assert.deepStrictEqual<unknown>(pieces, whole)
      assert.deepStrictEqual(pieces.map(({ tool_calls }) => tool_calls.map((call) => call.function.arguments)), [[
        "{\"a\":1}"
      ]])
    }).pipe(Effect.provide(answeredBy(ScriptedModel.layer([
      { when: always, toolCall: { name: "find", arguments: { a: 1 } } }
    ])))))
})

describe("a body that does not fit its model", () => {
  const long = (tokens: number) => ({ messages: [{ role: "user", content: "hello there ".repeat(tokens / 2) }] })

  it.effect("is refused for its length, unless it left the length of the answer to us", () =>
    Effect.gen(function*() {
      const chat = yield* Chat
      const complete = (fields: object) =>
        Effect.flatMap(
          chat.read("v1", { ...bare("core-105b-conversations"), ...fields }),
          (asked) => chat.complete(asked, ticket)
        )
      const failed = yield* Effect.flip(complete({ ...long(30_000), max_tokens: 32_768 }))
      assert.strictEqual(failed._tag, "BadRequest")
      assert.strictEqual((yield* complete(long(20_000))).object, "chat.completion")
    }).pipe(Effect.provide(answeredBy(saying({ ...emptyCompletion, text: "Hi", finish: "stop" })))))
})
