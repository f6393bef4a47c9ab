import { assert, describe, it, layer } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { LlamaCppModel, LlamaCppTokens } from "@trunkline/model-llama-cpp"
import { type Completion, LanguageModel, type ModelRequest, type ModelTool, TokenCounter } from "@trunkline/models"
import { Array, Chunk, Duration, Effect, Fiber, Layer, Stream } from "effect"
import { jsonGrammar } from "../src/grammar/JsonGrammar.js"
import { makeMatcher } from "./Gbnf.js"
import { chatMl, hasLlama, load, loadEager, skippedWithout, withTinyModel } from "./Llama.js"

/** A template that has the model think before it answers. */
const thinking =
  "{% for m in messages %}[{{ m['role'] }}]\n{% if m['reasoning_content'] %}<think>{{ m['reasoning_content'] }}</think>"
  + "{% endif %}{{ m['content'] }}</s>\n{% endfor %}{% if add_generation_prompt %}[assistant]\n<think>{% endif %}"

const chat = { contextLength: 16_384, template: chatMl }

const loaded = (options: Partial<LlamaCppModel.Options> = {}) => (file: string) =>
  LlamaCppModel.layer({ file, load, maxThreads: 1, contextSize: 2_048, ...options })

const counting = (file: string) => LlamaCppTokens.layer({ file, load })

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "core-105b",
  messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "What is the rain in Pune like?" }],
  limits: { maxOutputTokens: 60 },
  ...more
})

const seeded = (seed: number) => ({ temperature: 1, seed })

const ask = (more: Partial<ModelRequest> = {}) =>
  Effect.flatMap(LanguageModel, ({ generate }) => generate(request({ sampling: seeded(1), ...more })))

const stream = (more: Partial<ModelRequest> = {}) =>
  Stream.unwrap(Effect.map(LanguageModel, ({ stream }) => stream(request({ sampling: seeded(1), ...more }))))

const seeds = Array.range(1, 12)

const unlimited = { maxOutputTokens: 1_000 }

const usageOf = ({ usage }: Completion) =>
  usage ?? { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 }

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

const weather: ModelTool = {
  name: "get_weather",
  description: "Tells the weather.",
  strict: true,
  parameters: {
    type: "object",
    properties: {
      city: { enum: ["Pune", "Delhi"] },
      days: { type: "integer", minimum: 1, maximum: 9 },
      unit: { anyOf: [{ const: "C" }, { type: "null" }] }
    },
    required: ["city", "days"],
    additionalProperties: false
  }
}

const isVerdict = makeMatcher(jsonGrammar(verdict.schema).text)
const isWeather = makeMatcher(jsonGrammar(weather.parameters).text)

const live = { excludeTestServices: true }

describe.runIf(hasLlama)(`llama.cpp, ${skippedWithout}`, () => {
  layer(withTinyModel(chat, (file) => Layer.merge(loaded()(file), counting(file))), live)("a model", (it) => {
    it.effect("gives the same answer to the same seed, and another one to another", () =>
      Effect.gen(function*() {
        const texts = yield* Effect.forEach([1, 1, 2], (seed) =>
          Effect.map(ask({ sampling: seeded(seed) }), ({ text }) => text))
        assert.strictEqual(texts[0], texts[1])
        assert.notStrictEqual(texts[0], texts[2])
      }))

    it.effect("repeats itself less where repetitions are penalized, and takes the likeliest token without temperature", () =>
      Effect.gen(function*() {
        const kinds = (sampling: ModelRequest["sampling"] & object) =>
          Effect.map(ask({ sampling: { temperature: 0, ...sampling } }), ({ text }) => new Set(text).size)
        const plain = yield* kinds({ seed: 1 })
        assert.strictEqual(yield* kinds({ seed: 2 }), plain)
        assert.isAbove(yield* kinds({ frequencyPenalty: 2 }), plain)
        assert.isAbove(yield* kinds({ presencePenalty: 2 }), plain)
      }))

    it.effect("tells exactly what an answer took, and reads nothing twice", () =>
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

    it.effect("obeys a strict schema of which it understands nothing", () =>
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

    it.effect("does not pass off JSON that is cut off for whole", () =>
      Effect.gen(function*() {
        const { finish, text } = yield* ask({ format: { type: "json" }, limits: { maxOutputTokens: 3 } })
        assert.strictEqual(finish, "length")
        assert.isTrue(text.startsWith("{"))
      }))

    it.effect("writes arguments that obey their schema, with and without what is not required", () =>
      Effect.gen(function*() {
        const answers = yield* Effect.forEach(
          seeds,
          (seed) => ask({ tools: [weather], toolChoice: "required", sampling: seeded(seed), limits: unlimited })
        )
        const all = answers.map(({ finish, toolRequests: [first] }) => {
          assert.strictEqual(finish, "tool_calls")
          assert.strictEqual(first?.name, "get_weather")
          return first?.arguments ?? ""
        })
        for (const text of all) assert.isTrue(isWeather(text), text)
        assert.sameMembers([...new Set(all.map((text) => "unit" in JSON.parse(text)))], [true, false])
      }))

    it.effect("asks for the tool that is named, and does not pass off half of its arguments for whole", () =>
      Effect.gen(function*() {
        const tools = [weather, { name: "roll_dice" }]
        const named = yield* ask({ tools, toolChoice: { name: "roll_dice" } })
        assert.deepStrictEqual(named.toolRequests, [{ id: "call_1", name: "roll_dice", arguments: "{}" }])
        const maxOutputTokens = 16
        const cut = yield* ask({ tools, toolChoice: { name: "get_weather" }, limits: { maxOutputTokens } })
        assert.strictEqual(cut.finish, "length")
        assert.isTrue(cut.toolRequests[0]?.arguments.startsWith("{\""), cut.toolRequests[0]?.arguments)
        assert.strictEqual(usageOf(cut).outputTokens, maxOutputTokens)
      }))

    it.effect("beside tools gives an answer with a form, or asks for a tool", () =>
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

    it.effect("shows its words as it writes them, and stops at once for those who leave", () =>
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

    it.effect("lets the event loop turn while it reads and writes", () =>
      Effect.gen(function*() {
        let turns = 0
        const timer = setInterval(() => turns++, 0)
        yield* ask({ messages: [{ role: "user", content: "the and ".repeat(200) }], limits: { maxOutputTokens: 300 } })
        clearInterval(timer)
        assert.isAbove(turns, 50)
      }))
  })

  layer(withTinyModel(chat, loaded({ load: loadEager })), live)("a model that likes to ask for tools", (it) => {
    const asking = (more: Partial<ModelRequest>) =>
      Effect.forEach(
        seeds,
        (seed) => ask({ tools: [weather, { name: "roll_dice" }], sampling: seeded(seed), limits: unlimited, ...more })
      )

    it.effect("says something first, and asks for one or several", () =>
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

    it.effect("asks for one only where it may not ask for several", () =>
      Effect.gen(function*() {
        for (const { toolRequests } of yield* asking({ parallelTools: false })) assert.lengthOf(toolRequests, 1)
      }))

    it.effect("asks for none where it may not", () =>
      Effect.gen(function*() {
        const { text, toolRequests } = yield* ask({ tools: [weather], toolChoice: "none" })
        assert.include(text, "o")
        assert.lengthOf(toolRequests, 0)
      }))
  })

  layer(withTinyModel({ template: thinking }, loaded()), live)("a model that thinks", (it) => {
    it.effect("tells its thoughts apart from its words, and counts them as output", () =>
      Effect.gen(function*() {
        const thoughtful = yield* ask()
        assert.isAbove(thoughtful.reasoning.length, 20)
        assert.strictEqual(thoughtful.text, "")
        assert.isAbove(usageOf(thoughtful).reasoningTokens, 20)
        assert.isAtMost(usageOf(thoughtful).reasoningTokens, usageOf(thoughtful).outputTokens)
      }))

    it.effect("does not think where it is told not to, nor under a grammar", () =>
      Effect.gen(function*() {
        const thoughtless = yield* ask({ effort: null })
        assert.isAbove(thoughtless.text.length, 20)
        const formed = yield* ask({ format: { type: "json" } })
        assert.isTrue(formed.text.startsWith("{"))
        assert.deepStrictEqual([thoughtless.reasoning, formed.reasoning], ["", ""])
      }))
  })

  layer(withTinyModel(chat, loaded({ contextSize: 256 })), live)("a short context", (it) => {
    it.effect("ends the answer that fills it", () =>
      Effect.gen(function*() {
        const full = yield* ask({ limits: {} })
        assert.strictEqual(full.finish, "length")
        const { inputTokens, outputTokens } = usageOf(full)
        assert.isTrue(inputTokens + outputTokens > 250 && inputTokens + outputTokens <= 256)
      }))

    it.effect("is not overrun by tools and forms", () =>
      Effect.gen(function*() {
        const messages = [{ role: "user", content: "Hi" }] as const
        const formed = yield* ask({ messages, format: { type: "json" }, limits: {} })
        assert.isAtMost(usageOf(formed).inputTokens + usageOf(formed).outputTokens, 256)
        const failure = yield* Effect.flip(ask({ messages, tools: [weather], toolChoice: "required", limits: {} }))
        assert.strictEqual(failure._tag, "BadRequest")
      }))

    it.effect("refuses what does not fit, however much it is", () =>
      Effect.forEach([300, 3_000_000], (length) =>
        Effect.gen(function*() {
          const failure = yield* Effect.flip(ask({ messages: [{ role: "user", content: "x ".repeat(length) }] }))
          assert.strictEqual(failure._tag, "BadRequest")
          assert.include(failure.message, "holds 256 tokens")
        })))
  })

  layer(withTinyModel(chat, loaded({ concurrency: 2, contextSize: 8_192 })), live)("two places", (it) => {
    it.effect("are for two answers at once, and a third waits", () =>
      Effect.gen(function*() {
        const seen: Array<string> = []
        const long = (name: string) =>
          Stream.runForEach(stream({ limits: { maxOutputTokens: 100 } }), () => Effect.sync(() => void seen.push(name)))
        yield* Effect.all([long("a"), long("b"), Effect.zipRight(macroTask, long("c"))], { concurrency: "unbounded" })
        const first = (name: string) => seen.indexOf(name)
        const last = (name: string) => seen.lastIndexOf(name)
        assert.isTrue(first("b") < last("a") && first("a") < last("b"))
        assert.isAbove(first("c"), Math.min(last("a"), last("b")))
      }))

    it.effect("give up a long prompt while it is being read", () =>
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

  it.scopedLive("refuses a file that is no model", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(Layer.build(loaded()(import.meta.filename)))
      assert.strictEqual(failure._tag, "ModelFileUnusable")
    }))

  layer(withTinyModel({}, counting), live)("a vocabulary", (it) => {
    it.effect("counts exactly, in pieces as in one", () =>
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
