import { assert, describe, layer } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { type ModelRequest, TokenCounter } from "@trunkline/models"
import { type Array, Effect, Fiber, Stream } from "effect"
import { hasLlama, loadEager, skippedWithout, withTinyModel } from "./Llama.js"
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

/** A template that has the model think before it answers. */
const thinking =
  "{% for m in messages %}[{{ m['role'] }}]\n{% if m['reasoning_content'] %}<think>{{ m['reasoning_content'] }}</think>"
  + "{% endif %}{{ m['content'] }}</s>\n{% endfor %}{% if add_generation_prompt %}[assistant]\n<think>{% endif %}"

describe.runIf(hasLlama)(`llama.cpp, ${skippedWithout}`, () => {
  layer(withTinyModel(chat, loaded({ load: loadEager })), live)("a model that tends to call tools", (it) => {
    const asking = (more: Partial<ModelRequest>) =>
      Effect.forEach(
        seeds,
        (seed) => ask({ tools: [weather, { name: "roll_dice" }], sampling: seeded(seed), limits: unlimited, ...more })
      )

    it.effect("writes text first, and calls one or several", () =>
      Effect.gen(function*() {
        const answers = yield* asking({})
        for (const { finish, text, toolRequests } of answers) {
          assert.strictEqual(finish, "tool_calls")
          assert.notInclude(text, "o")
          for (const { arguments: text, name } of toolRequests) {
            if (name === "get_weather") assert.isTrue(isWeather(text), text)
            else assert.deepStrictEqual([name, text], ["roll_dice", "{}"])
          }
          assert.deepStrictEqual(toolRequests.map(({ id }) => id), toolRequests.map((_, index) => `call_${index + 1}`))
        }
        assert.isTrue(answers.some(({ text }) => text !== ""))
        const counts = new Set(answers.map(({ toolRequests }) => toolRequests.length))
        assert.isTrue(counts.has(1) && counts.size > 1)
      }))

    it.effect("calls only one without parallel tool calls", () =>
      Effect.gen(function*() {
        for (const { toolRequests } of yield* asking({ parallelTools: false })) assert.lengthOf(toolRequests, 1)
      }))

    it.effect("calls none with tool_choice none", () =>
      Effect.gen(function*() {
        const { text, toolRequests } = yield* ask({ tools: [weather], toolChoice: "none" })
        assert.include(text, "o")
        assert.lengthOf(toolRequests, 0)
      }))
  })

  layer(withTinyModel({ template: thinking }, loaded()), live)("a reasoning model", (it) => {
    it.effect("separates reasoning from text, and counts it as output", () =>
      Effect.gen(function*() {
        const thoughtful = yield* ask()
        assert.isAbove(thoughtful.reasoning.length, 20)
        assert.strictEqual(thoughtful.text, "")
        assert.isAbove(usageOf(thoughtful).reasoningTokens, 20)
        assert.isAtMost(usageOf(thoughtful).reasoningTokens, usageOf(thoughtful).outputTokens)
      }))

    it.effect("does not reason with effort none, nor with a grammar", () =>
      Effect.gen(function*() {
        const thoughtless = yield* ask({ effort: null })
        assert.isAbove(thoughtless.text.length, 20)
        const formed = yield* ask({ format: { type: "json" } })
        assert.isTrue(formed.text.startsWith("{"))
        assert.deepStrictEqual([thoughtless.reasoning, formed.reasoning], ["", ""])
      }))
  })

  layer(withTinyModel(chat, loaded({ contextSize: 256 })), live)("a short context", (it) => {
    it.effect("ends a completion that fills it", () =>
      Effect.gen(function*() {
        const full = yield* ask({ limits: {} })
        assert.strictEqual(full.finish, "length")
        const { inputTokens, outputTokens } = usageOf(full)
        assert.isTrue(inputTokens + outputTokens > 250 && inputTokens + outputTokens <= 256)
      }))

    it.effect("is not exceeded by tools and schemas", () =>
      Effect.gen(function*() {
        const messages = [{ role: "user", content: "Hi" }] as const
        const formed = yield* ask({ messages, format: { type: "json" }, limits: {} })
        assert.isAtMost(usageOf(formed).inputTokens + usageOf(formed).outputTokens, 256)
        const failure = yield* Effect.flip(ask({ messages, tools: [weather], toolChoice: "required", limits: {} }))
        assert.strictEqual(failure._tag, "BadRequest")
      }))

    it.effect("rejects prompts that do not fit, of any length", () =>
      Effect.forEach([300, 3_000_000], (length) =>
        Effect.gen(function*() {
          const failure = yield* Effect.flip(ask({ messages: [{ role: "user", content: "x ".repeat(length) }] }))
          assert.strictEqual(failure._tag, "BadRequest")
          assert.include(failure.message, "holds 256 tokens")
        })))
  })

  layer(withTinyModel(chat, loaded({ concurrency: 2, contextSize: 8_192 })), live)("two sequences", (it) => {
    it.effect("serve two completions at once while a third waits", () =>
      Effect.gen(function*() {
        const texts: Array<string> = []
        const long = (name: string) =>
          Stream.runForEach(
            stream({ limits: { maxOutputTokens: 100 } }),
            () => Effect.sync(() => void texts.push(name))
          )
        yield* Effect.all([long("a"), long("b"), Effect.zipRight(macroTask, long("c"))], { concurrency: "unbounded" })
        const first = (name: string) => texts.indexOf(name)
        const last = (name: string) => texts.lastIndexOf(name)
        assert.isTrue(first("b") < last("a") && first("a") < last("b"))
        assert.isAbove(first("c"), Math.min(last("a"), last("b")))
      }))

    it.effect("abort the evaluation of a long prompt", () =>
      Effect.gen(function*() {
        const messages = [{ role: "user", content: "the and ".repeat(2_000) } as const]
        const asking = ask({ messages, limits: { maxOutputTokens: 1 }, sampling: {} })
        const reader = yield* Effect.fork(asking)
        yield* Effect.sleep("20 millis")
        yield* Fiber.interrupt(reader)
        const { cachedTokens, inputTokens } = usageOf(yield* asking)
        assert.isBelow(cachedTokens, inputTokens - 1)
      }))
  })

  layer(withTinyModel({}, counting), live)("a vocabulary", (it) => {
    it.effect("counts exactly, in pieces or at once", () =>
      Effect.gen(function*() {
        const { count } = yield* TokenCounter
        assert.strictEqual(yield* count(""), 0)
        assert.strictEqual(yield* count("the"), 1)
        const [some, many] = yield* Effect.forEach([100, 10_000], (times) => count("the and ".repeat(times)))
        assert.strictEqual((many ?? 0) - 1, 100 * ((some ?? 0) - 1))
        assert.strictEqual(yield* count("नमस्ते"), 1 + 3 * 6)
      }))
  })
})
