import { assert, describe, it } from "@effect/vitest"
import { Chat } from "@trunkline/chat"
import { propertyRuns } from "@trunkline/kernel/testing"
import {
  Answers,
  type Completion,
  emptyCompletion,
  LanguageModel,
  splitIntoDeltas,
  TokenCounter
} from "@trunkline/models"
import { always, ScriptedModel } from "@trunkline/scripted-model"
import { Effect, FastCheck, Layer, Stream } from "effect"
import { minimalBody, ticket } from "./Doubles.js"
import { chunksIn, framesOf, messageIn } from "./Frames.js"

const chatOn = (model: Layer.Layer<LanguageModel>) =>
  Chat.layer.pipe(Layer.provide(Answers.layer), Layer.provide(Layer.merge(model, TokenCounter.layer)))

const modelReturning = (completion: Completion) =>
  Layer.succeed(LanguageModel, {
    generate: () => Effect.succeed(completion),
    stream: () => Stream.fromIterable(splitIntoDeltas(completion))
  })

/** The messages of a completion, requested as a whole and as a stream. */
const bothWays = (fields: object = {}) =>
  Effect.gen(function*() {
    const chat = yield* Chat
    const whole = yield* chat.complete(yield* chat.read("v2", { ...minimalBody(), ...fields }), ticket)
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

const texts = FastCheck.string({ unit: "grapheme", maxLength: 40 })
const nonEmptyTexts = FastCheck.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
const completions = FastCheck.record({
  text: texts,
  reasoning: texts,
  refusal: FastCheck.option(nonEmptyTexts),
  toolRequests: FastCheck.array(FastCheck.record({ id: nonEmptyTexts, name: nonEmptyTexts, arguments: texts }), {
    maxLength: 3
  }),
  finish: FastCheck.constantFrom("stop" as const, "length" as const, "tool_calls" as const, "content_filter" as const)
})

describe("a streamed completion", () => {
  it.effect("equals the whole one", () =>
    Effect.gen(function*() {
      for (const parts of FastCheck.sample(completions, { numRuns: propertyRuns(60), seed: 11 })) {
        const model = chatOn(modelReturning({ ...emptyCompletion, ...parts }))
        const { pieces, usages, whole } = yield* Effect.provide(bothWays({ n: 2 }), model)
        assert.deepStrictEqual<unknown>(pieces, whole)
        assert.deepStrictEqual(usages[0], usages[1])
      }
    }))

  const cases: ReadonlyArray<readonly [about: string, fields: object]> = [
    ["text", {}],
    ["several choices", { n: 3, seed: 5 }],
    ["text with stop sequences", { stop: ["said", "xyz"] }],
    ["reasoning", { reasoning_effort: "high" }],
    ["log probabilities", { logprobs: true, top_logprobs: 2 }]
  ]

  for (const [about, fields] of cases) {
    it.effect(`equals the whole one for ${about}, with the scripted model`, () =>
      Effect.gen(function*() {
        const { pieces, whole } = yield* bothWays(fields)
        assert.deepStrictEqual<unknown>(pieces, whole)
      }).pipe(Effect.provide(chatOn(ScriptedModel.layer()))))
  }

  it.effect("equals the whole one for function calls", () =>
    Effect.gen(function*() {
      const tools = [{ type: "function", function: { name: "find" } }]
      const { pieces, whole } = yield* bothWays({ tools, tool_choice: "required" })
      assert.deepStrictEqual<unknown>(pieces, whole)
      assert.deepStrictEqual(pieces.map(({ tool_calls }) => tool_calls.map((call) => call.function.arguments)), [[
        "{\"a\":1}"
      ]])
    }).pipe(Effect.provide(chatOn(ScriptedModel.layer([
      { when: always, toolCall: { name: "find", arguments: { a: 1 } } }
    ])))))
})

describe("a body that exceeds the model's context", () => {
  const long = (tokens: number) => ({ messages: [{ role: "user", content: "hello there ".repeat(tokens / 2) }] })

  it.effect("is rejected only when it sets max_tokens", () =>
    Effect.gen(function*() {
      const chat = yield* Chat
      const complete = (fields: object) =>
        Effect.flatMap(
          chat.read("v1", { ...minimalBody("core-105b-conversations"), ...fields }),
          (request) => chat.complete(request, ticket)
        )
      const failed = yield* Effect.flip(complete({ ...long(30_000), max_tokens: 32_768 }))
      assert.strictEqual(failed._tag, "BadRequest")
      assert.strictEqual((yield* complete(long(20_000))).object, "chat.completion")
    }).pipe(Effect.provide(chatOn(modelReturning({ ...emptyCompletion, text: "Hi", finish: "stop" })))))
})
