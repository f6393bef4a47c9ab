import { assert, describe, it, layer } from "@effect/vitest"
import { type ModelRequest, TokenCounter } from "@trunkline/models"
import { Chunk, Duration, Effect, Fiber, Layer, Stream } from "effect"
import { jsonGrammar } from "../src/grammar/JsonGrammar.js"
import { makeMatcher } from "./Gbnf.js"
import { hasLlama, skippedWithout, withTinyModel } from "./Llama.js"
import {
  ask,
  chat,
  counting,
  isWeather,
  live,
  loaded,
  seeded,
  seeds,
  stream,
  unlimited,
  usageOf,
  weather
} from "./LlamaFixtures.js"

const verdict = {
  type: "schema",
  name: "verdict",
  strict: true,
  schema: {
    type: "object",
    properties: {
      ok: { type: "boolean" },
      city: { enum: ["Pune", "Delhi"] },
      days: { type: "array", items: { type: "integer", minimum: 0, maximum: 30 }, maxItems: 3 }
    },
    required: ["ok", "city", "days"]
  }
} as const

const isVerdict = makeMatcher(jsonGrammar(verdict.schema).text)

describe.runIf(hasLlama)(`llama.cpp, ${skippedWithout}`, () => {
  layer(withTinyModel(chat, (file) => Layer.merge(loaded()(file), counting(file))), live)("a model", (it) => {
    it.effect("gives the same completion for the same seed, and another one for another seed", () =>
      Effect.gen(function*() {
        const texts = yield* Effect.forEach(
          [1, 1, 2],
          (seed) => Effect.map(ask({ sampling: seeded(seed) }), ({ text }) => text)
        )
        assert.strictEqual(texts[0], texts[1])
        assert.notStrictEqual(texts[0], texts[2])
      }))

    it.effect("repeats itself less with penalties, and takes the most likely token at temperature 0", () =>
      Effect.gen(function*() {
        const kinds = (sampling: ModelRequest["sampling"] & object) =>
          Effect.map(ask({ sampling: { temperature: 0, ...sampling } }), ({ text }) => new Set(text).size)
        const plain = yield* kinds({ seed: 1 })
        assert.strictEqual(yield* kinds({ seed: 2 }), plain)
        assert.isAbove(yield* kinds({ frequencyPenalty: 2 }), plain)
        assert.isAbove(yield* kinds({ presencePenalty: 2 }), plain)
      }))

    it.effect("reports exact usage, and evaluates nothing twice", () =>
      Effect.gen(function*() {
        const content = "What is the rain in Delhi like?"
        const asking = ask({ messages: [{ role: "user", content }], sampling: {} })
        const first = yield* asking
        const second = yield* asking
        assert.strictEqual(first.finish, "length")
        assert.strictEqual(usageOf(first).outputTokens, 60)
        assert.strictEqual(usageOf(second).cachedTokens, usageOf(second).inputTokens - 1)
        const { count } = yield* TokenCounter
        // A mark is one token, and before a name or a line break there is a blank: that is how this vocabulary begins.
        const marks = (yield* count("user\n")) + (yield* count(content)) + (yield* count("\n")) +
          (yield* count("assistant\n"))
        assert.strictEqual(usageOf(first).inputTokens, marks + 3)
      }))

    it.effect("satisfies a strict schema without understanding it", () =>
      Effect.gen(function*() {
        const answers = yield* Effect.forEach(seeds, (seed) =>
          ask({ format: verdict, sampling: seeded(seed), limits: unlimited }))
        for (const { finish, text } of answers) {
          assert.strictEqual(finish, "stop")
          assert.isTrue(isVerdict(text), text)
          assert.hasAllKeys(JSON.parse(text), ["ok", "city", "days"])
        }
        assert.isAbove(
          new Set(answers.map(({ text }) =>
            text
          )).size,
          1
        )
      }))

    it.effect("reports truncated JSON as truncated", () =>
      Effect.gen(function*() {
        const { finish, text } = yield* ask({ format: { type: "json" }, limits: { maxOutputTokens: 3 } })
        assert.strictEqual(finish, "length")
        assert.isTrue(text.startsWith("{"))
      }))

    it.effect("writes arguments that satisfy their schema, with and without optional properties", () =>
      Effect.gen(function*() {
        const answers = yield* Effect.forEach(
          seeds,
          (seed) => ask({ tools: [weather], toolChoice: "required", sampling: seeded(seed), limits: unlimited })
        )
        const summaries = answers.map(({ finish, toolRequests: [first] }) => {
          assert.strictEqual(finish, "tool_calls")
          assert.strictEqual(first?.name, "get_weather")
          return first?.arguments ?? ""
        })
        for (const text of summaries) assert.isTrue(isWeather(text), text)
        assert.sameMembers([...new Set(summaries.map((text) => "unit" in JSON.parse(text)))], [true, false])
      }))

    it.effect("calls the named tool, and reports truncated arguments as truncated", () =>
      Effect.gen(function*() {
        const tools = [weather, { name: "roll_dice" }]
        const answer = yield* ask({ tools, toolChoice: { name: "roll_dice" } })
        assert.deepStrictEqual(answer.toolRequests, [{ id: "call_1", name: "roll_dice", arguments: "{}" }])
        const maxOutputTokens = 16
        const cut = yield* ask({ tools, toolChoice: { name: "get_weather" }, limits: { maxOutputTokens } })
        assert.strictEqual(cut.finish, "length")
        assert.isTrue(cut.toolRequests[0]?.arguments.startsWith("{\""), cut.toolRequests[0]?.arguments)
        assert.strictEqual(usageOf(cut).outputTokens, maxOutputTokens)
      }))

    it.effect("with tools and a schema completes the schema or calls a tool", () =>
      Effect.gen(function*() {
        const answers = yield* Effect.forEach(seeds, (seed) =>
          ask({ tools: [weather, { name: "ask" }], format: verdict, sampling: seeded(seed), limits: unlimited }))
        for (const { finish, text, toolRequests } of answers) {
          if (finish === "stop") {
            assert.isTrue(isVerdict(text), text)
          } else assert.deepStrictEqual([finish, text, toolRequests.length], ["tool_calls", "", 1])
        }
        assert.sameMembers([
          ...new Set(answers.map(({ finish }) =>
            finish
          ))
        ], ["stop", "tool_calls"])
      }))

    it.effect("ends before a stop sequence", () =>
      Effect.gen(function*() {
        const { text } = yield* ask()
        const stop = text.slice(10, 12)
        const stopped = yield* ask({ limits: { maxOutputTokens: 60, stop: [stop] } })
        assert.strictEqual(stopped.text, text.slice(0, text.indexOf(stop)))
        assert.strictEqual(stopped.finish, "stop")
        assert.isBelow(usageOf(stopped).outputTokens, 60)
      }))

    it.effect("streams its tokens, and stops at once when the client disconnects", () =>
      Effect.gen(function*() {
        const sizes = yield* Stream.runCollect(
          Stream.map(Stream.chunks(stream({ limits: { maxOutputTokens: 200 } })), Chunk.size)
        )
        assert.isAbove(Chunk.size(sizes), 10)
        const endless = stream({ limits: {} })
        const [whole] = yield* Effect.timed(Stream.runDrain(endless))
        const reader = yield* Effect.fork(Stream.runForEach(endless, () => Effect.never))
        yield* Effect.sleep("30 millis")
        const [leaving] = yield* Effect.timed(
          Effect.zipRight(Fiber.interrupt(reader), ask({ limits: { maxOutputTokens: 1 } }))
        )
        assert.isBelow(Duration.toMillis(leaving), Duration.toMillis(whole) / 3)
      }))

    it.effect("does not block the event loop during evaluation and generation", () =>
      Effect.gen(function*() {
        let turns = 0
        const timer = setInterval(() => turns++, 0)
        yield* ask({ messages: [{ role: "user", content: "the and ".repeat(200) }], limits: { maxOutputTokens: 300 } })
        clearInterval(timer)
        assert.isAbove(turns, 50)
      }))
  })

  it.scopedLive("rejects a file that is not a model", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(Layer.build(loaded()(import.meta.filename)))
      assert.strictEqual(failure._tag, "ModelFileUnusable")
    }))
})
