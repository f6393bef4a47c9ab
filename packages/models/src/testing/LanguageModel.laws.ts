import { assert, layer } from "@effect/vitest"
import { Array, Chunk, Deferred, Effect, Exit, Fiber, type Layer, Stream } from "effect"
import { appendDelta, type Completion, type Delta, emptyCompletion } from "../Completion.js"
import { LanguageModel } from "../LanguageModel.js"
import type { ModelRequest, ModelTool } from "../ModelRequest.js"

/** Settings of the laws for one model. */
export interface LanguageModelLawOptions {
  /** Model id of the requests. */
  readonly model: string
  /** True if the same request always gets the same answer. Default: true. */
  readonly deterministic?: boolean
  /** True if a required tool is called. Default: true. */
  readonly tools?: boolean
  /** Number of answers in progress, for models that can report it. */
  readonly atWork?: Effect.Effect<number>
}

/** Fewer tokens than any answer to `question` has. */
const few = 3

const question = "Tell me in one sentence of at least ten words what the rain in Pune is like in July."

const tools: ReadonlyArray<ModelTool> = [
  {
    name: "get_weather",
    description: "Tells the weather in a city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
  },
  { name: "roll_dice", description: "Rolls dice." }
]

const whole = (deltas: ReadonlyArray<Delta>): Completion => deltas.reduce(appendDelta, emptyCompletion)

const piecesOf = (request: ModelRequest) =>
  Effect.flatMap(
    LanguageModel,
    (model) => Effect.map(Stream.runCollect(model.stream(request)), Chunk.toReadonlyArray)
  )

const generate = (request: ModelRequest) => Effect.flatMap(LanguageModel, (model) => model.generate(request))

const isWritten = ({ _tag }: Delta) => _tag !== "Usage" && _tag !== "Finish"

/** Concatenates what was written, in order. */
const outputOf = ({ reasoning, refusal, text, toolRequests }: Completion): string =>
  [reasoning, refusal ?? "", text, ...toolRequests.flatMap(({ arguments: text, name }) => [name, text])].join("")

/** Asserts the order of the deltas of a stream. */
const assertOrder = (deltas: ReadonlyArray<Delta>): void => {
  let toolCount = 0
  for (const [place, delta] of deltas.entries()) {
    if (delta._tag === "ToolStart") {
      assert.strictEqual(delta.index, toolCount, "tools are numbered in order of their start")
      assert.notStrictEqual(delta.id, "")
      assert.notStrictEqual(delta.name, "")
      toolCount++
    }
    if (delta._tag === "ToolArgs") {
      assert.isBelow(delta.index, toolCount, "arguments come after the start of their tool")
    }
    if (delta._tag === "Finish") assert.isFalse(deltas.slice(place).some(isWritten), "nothing is written after the end")
  }
  assert.strictEqual(Array.countBy(deltas, ({ _tag }) => _tag === "Finish"), 1, "an answer ends once")
  assert.isAtMost(Array.countBy(deltas, ({ _tag }) => _tag === "Usage"), 1, "usage is told at most once")
  const lastThought = deltas.findLastIndex(({ _tag }) => _tag === "Reasoning")
  const firstAnswer = deltas.findIndex((delta) => isWritten(delta) && delta._tag !== "Reasoning")
  assert.isTrue(firstAnswer < 0 || lastThought < firstAnswer, "thoughts come before what they lead to")
}

const assertUsage = ({ usage }: Completion): void => {
  if (usage === null) return
  const { cachedTokens, inputTokens, outputTokens, reasoningTokens } = usage
  for (const figure of [cachedTokens, inputTokens, outputTokens, reasoningTokens]) {
    assert.isTrue(Number.isInteger(figure) && figure >= 0)
  }
  assert.isAbove(inputTokens, 0)
  assert.isAbove(outputTokens, 0)
  assert.isAtMost(cachedTokens, inputTokens)
  assert.isAtMost(reasoningTokens, outputTokens)
}

/**
 * Runs the laws of `LanguageModel` against a layer. They apply to any model that answers a question with more than
 * three tokens.
 */
export const languageModelLaws = <E>(
  name: string,
  live: Layer.Layer<LanguageModel, E>,
  { atWork, deterministic = true, model, tools: asksForTools = true }: LanguageModelLawOptions
) =>
  layer(live)(`LanguageModel laws: ${name}`, (it) => {
    const ask = (content: string): ModelRequest => ({
      model,
      messages: [{ role: "system", content: "You are brief." }, { role: "user", content }]
    })
    const withTools: ModelRequest = { ...ask("What is the weather in Pune?"), tools, toolChoice: "required" }
    const withLimit: ModelRequest = { ...ask(question), limits: { maxOutputTokens: few } }

    it.effect("an answer is not empty, ends once, and has plausible usage", () =>
      Effect.gen(function*() {
        const pieces = yield* piecesOf(ask(question))
        assertOrder(pieces)
        const completion = whole(pieces)
        assert.notStrictEqual(outputOf(completion), "")
        assertUsage(completion)
        assertUsage(yield* generate(ask(question)))
      }))

    it.effect("accepts every role, content in parts, names and other scripts", () =>
      Effect.gen(function*() {
        const pieces = yield* piecesOf({
          model,
          messages: [
            { role: "system", content: "You are brief." },
            { role: "user", content: [{ type: "text", text: "नमस्ते " }, { type: "text", text: "👋" }], name: "Asha" },
            { role: "assistant", content: "Hello.", toolRequests: [], reasoning: "A greeting." },
            { role: "user", content: "{\"a\":\"\\\"\u2028\"}" }
          ]
        })
        assertOrder(pieces)
      }))

    it.effect("concurrent answers do not mix", () =>
      Effect.gen(function*() {
        const requests = ["one", "two", "three", "four"].map((word) => ask(`Say ${word}. ${question}`))
        const together = yield* Effect.forEach(requests, piecesOf, { concurrency: "unbounded" })
        for (const pieces of together) assertOrder(pieces)
        if (!deterministic) return
        const alone = yield* Effect.forEach(requests, generate)
        assert.deepStrictEqual(together.map((pieces) => whole(pieces)), alone)
      }))

    it.effect("a token limit ends an answer with `length`, and no more tokens are reported", () =>
      Effect.gen(function*() {
        const pieces = yield* piecesOf(withLimit)
        assertOrder(pieces)
        for (const completion of [whole(pieces), yield* generate(withLimit)]) {
          assert.strictEqual(completion.finish, "length")
          assert.isAtMost(completion.usage?.outputTokens ?? 0, few)
        }
      }))

    it.effect("a reader can leave after the first delta", () =>
      Effect.gen(function*() {
        const { stream } = yield* LanguageModel
        const first = yield* Stream.runCollect(Stream.take(stream(ask(question)), 1))
        assert.strictEqual(Chunk.size(first), 1)
        if (atWork !== undefined) assert.strictEqual(yield* atWork, 0)
      }))

    it.effect("an interruption stops whole and streamed answers", () =>
      Effect.gen(function*() {
        const { stream } = yield* LanguageModel
        const startSignal = yield* Deferred.make<void>()
        const reading = Stream.runForEach(
          stream(ask(question)),
          () => Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never)
        )
        const reader = yield* Effect.fork(reading)
        yield* Deferred.await(startSignal)
        const asker = yield* Effect.fork(Effect.zipRight(generate(ask(question)), Effect.never))
        yield* Effect.yieldNow()
        for (const exit of [yield* Fiber.interrupt(reader), yield* Fiber.interrupt(asker)]) {
          assert.isTrue(Exit.isInterrupted(exit))
        }
        if (atWork !== undefined) assert.strictEqual(yield* atWork, 0)
      }))

    it.effect("a stream can be run more than once", () =>
      Effect.gen(function*() {
        const { stream } = yield* LanguageModel
        const pieces = stream(ask(question))
        const [first, second] = yield* Effect.all([Stream.runCollect(pieces), Stream.runCollect(pieces)])
        for (const deltas of [first, second]) assertOrder(Chunk.toReadonlyArray(deltas))
      }))

    if (deterministic) {
      it.effect("the deltas of an answer make up the whole one, with and without limits", () =>
        Effect.forEach([ask(question), withLimit, ...(asksForTools ? [withTools] : [])], (request) =>
          Effect.gen(function*() {
            assert.deepStrictEqual(whole(yield* piecesOf(request)), yield* generate(request))
          })))

      it.effect("a limit truncates an answer and does not change it", () =>
        Effect.gen(function*() {
          const [fullAnswer, part] = yield* Effect.all([generate(ask(question)), generate(withLimit)])
          assert.isTrue(outputOf(fullAnswer).startsWith(outputOf(part)))
          assert.isBelow(outputOf(part).length, outputOf(fullAnswer).length)
        }))
    }

    if (asksForTools) {
      it.effect("a required tool is called by its name with a JSON object", () =>
        Effect.gen(function*() {
          const pieces = yield* piecesOf(withTools)
          assertOrder(pieces)
          const { finish, toolRequests } = whole(pieces)
          assert.strictEqual(finish, "tool_calls")
          assert.isNotEmpty(toolRequests)
          assert.strictEqual(
            new Set(toolRequests.map(({ id }) =>
              id
            )).size,
            toolRequests.length
          )
          for (const { arguments: text, name } of toolRequests) {
            assert.include(tools.map((tool) => tool.name), name)
            assert.isObject(JSON.parse(text))
          }
        }))

      it.effect("a tool's result is answered", () =>
        Effect.gen(function*() {
          const { text, toolRequests } = yield* generate(withTools)
          const pieces = yield* piecesOf({
            ...withTools,
            toolChoice: "auto",
            messages: [
              ...withTools.messages,
              { role: "assistant", content: text === "" ? null : text, toolRequests },
              ...toolRequests.map(({ id, name }) => ({
                role: "tool" as const,
                toolRequestId: id,
                name,
                content: `{"sky":"clear"}`
              }))
            ]
          })
          assertOrder(pieces)
          assert.notStrictEqual(outputOf(whole(pieces)), "")
        }))
    }
  })
