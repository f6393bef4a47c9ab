import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { type Delta, LanguageModel, TokenCounter } from "@trunkline/models"
import { always, ScriptedModel, type ScriptedRule } from "@trunkline/scripted-model"
import { Chunk, Clock, Effect, Exit, Fiber, Layer, Stream, TestClock } from "effect"
import { ask, type Options, piecesOf, request, user } from "./Fixtures.js"

/** Ten words are ten tokens, whatever is between them. */
const byWord = Layer.succeed(TokenCounter, { count: (text) => Effect.succeed(text.match(/\S+/g)?.length ?? 0) })

const ten: ScriptedRule = { when: always, reply: "word word word word word word word word word word" }

const modelOf = (options: Options, rules: ReadonlyArray<ScriptedRule> = [ten]) =>
  Effect.provide(LanguageModel, Layer.provide(ScriptedModel.layer(rules, options), byWord))

/** Everything that a stream emits within a minute, with its time in milliseconds. */
const timed = (options: Options, rules?: ReadonlyArray<ScriptedRule>) =>
  Effect.gen(function*() {
    const { stream } = yield* modelOf(options, rules)
    const log: Array<{ readonly at: number; readonly pieces: ReadonlyArray<Delta> }> = []
    const reading = yield* stream(request(user("Well"))).pipe(
      Stream.runForEachChunk((chunk) =>
        Effect.map(Clock.currentTimeMillis, (at) => log.push({ at, pieces: Chunk.toReadonlyArray(chunk) }))
      ),
      Effect.zipRight(Clock.currentTimeMillis),
      Effect.catchAll(() => Clock.currentTimeMillis),
      Effect.fork
    )
    yield* TestClock.adjust("1 minute")
    return { log, end: yield* Fiber.join(reading) }
  })

const lengthOf = (options: Options, rules?: ReadonlyArray<ScriptedRule>) =>
  Effect.gen(function*() {
    const { generate } = yield* modelOf(options, rules)
    const asking = yield* generate(request(user("Well"))).pipe(
      Effect.either,
      Effect.zipRight(Clock.currentTimeMillis),
      Effect.fork
    )
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(asking)
  })

describe("the pace of the scripted model", () => {
  it.effect("is a number of tokens per second, after the first one", () =>
    Effect.gen(function*() {
      const { end, log } = yield* timed({ tokensPerSecond: 10, firstToken: "500 millis" })
      const words = log.filter(({ pieces }) => pieces[0]?._tag === "Text")
      assert.lengthOf(words, 10)
      assert.strictEqual(words[0]?.at, 500)
      assert.isTrue(words.every(({ at }, index) => Math.abs(at - 500 - index * 100) <= 20))
      assert.strictEqual(end, 1_500)
    }))

  it.effect("is the same for a whole completion", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* lengthOf({ tokensPerSecond: 10, firstToken: "500 millis" }), 1_500)
    }))

  it.effect("can be a delay of the first token only, or of the rule", () =>
    Effect.gen(function*() {
      const { end, log } = yield* timed({ firstToken: "500 millis" }, [{ ...ten, delay: "2 seconds" }])
      assert.deepStrictEqual([...new Set(log.map(({ at }) => at)), end], [2_500, 2_500])
    }))

  it.effect("does not add delay for a slow reader", () =>
    Effect.gen(function*() {
      const { stream } = yield* modelOf({ tokensPerSecond: 10 })
      const reading = yield* stream(request(user("Well"))).pipe(
        Stream.runForEach(({ _tag }) => _tag === "Text" ? Effect.sleep("90 millis") : Effect.void),
        Effect.zipRight(Clock.currentTimeMillis),
        Effect.fork
      )
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(yield* Fiber.join(reading), 1_100)
    }))

  it.effect("groups pieces that are due together", () =>
    Effect.gen(function*() {
      const { end, log } = yield* timed({ tokensPerSecond: 1_000 })
      assert.lengthOf(log, 2)
      assert.strictEqual(end, 10)
    }))

  it.effect("applies until a failure in the middle, also for a whole completion", () =>
    Effect.gen(function*() {
      const rules = [{ ...ten, error: new ModelFailed({ message: "gone" }), failsAfter: 5 }]
      const { end, log } = yield* timed({ tokensPerSecond: 10 }, rules)
      assert.lengthOf(log, 5)
      assert.strictEqual(end, 500)
      assert.strictEqual(yield* lengthOf({ tokensPerSecond: 10 }, rules), 500 + 60_000)
    }))

  it.effect("stops when it is interrupted", () =>
    Effect.gen(function*() {
      const { generate } = yield* modelOf({ firstToken: "1 hour" })
      const asking = yield* Effect.fork(generate(request(user("Well"))))
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(asking)))
    }))
})

describe("without a pace", () => {
  it.effect("a completion of any length takes no time and has few chunks", () =>
    Effect.gen(function*() {
      const rules = [{ when: always, reply: "word ".repeat(10_000) }]
      const { end, log } = yield* timed({}, rules)
      assert.strictEqual(end, 0)
      assert.isAtMost(Math.max(...log.map(({ pieces }) => pieces.length)), 256)
      assert.isBelow(log.length, 50)
    }))

  it.effect("words are single pieces, and JSON is split", () =>
    Effect.gen(function*() {
      const rules = [{
        when: always,
        reply: "One two",
        refusal: "I will not",
        toolCall: { name: "save", arguments: { text: "a".repeat(100) } }
      }]
      const { pieces } = yield* piecesOf(request(user("Well")), rules)
      const texts = (kind: Delta["_tag"]) =>
        pieces.flatMap((piece) => piece._tag === kind && "text" in piece ? [piece.text] : [])
      assert.deepStrictEqual(texts("Text"), ["One", " two"])
      assert.deepStrictEqual(texts("Refusal"), ["I", " will", " not"])
      assert.isAbove(texts("ToolArgs").length, 10)
      const { text } = yield* ask({ ...request(user("It rains in Pune")), format: { type: "json" } })
      const { pieces: json } = yield* piecesOf({ ...request(user("It rains in Pune")), format: { type: "json" } })
      const bits = json.flatMap((piece) => piece._tag === "Text" ? [piece.text] : [])
      assert.isAbove(bits.length, 4)
      assert.strictEqual(bits.join(""), text)
    }))
})
