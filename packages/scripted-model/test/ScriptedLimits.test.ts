import { assert, describe, it } from "@effect/vitest"
import {
  type Completion,
  LanguageModel,
  type Message,
  ModelCatalog,
  type ModelRequest,
  publicModels,
  TokenCounter
} from "@trunkline/models"
import { always, ScriptedModel, type ScriptedRule } from "@trunkline/scripted-model"
import { Effect, FastCheck, Layer } from "effect"
import { agent, ask, piecesOf, request, system, user } from "./Fixtures.js"

/** A rule that thinks, talks and asks for tools. */
const everything: ScriptedRule = {
  when: always,
  reasoning: "Let me think: what is there to say?",
  reply: "नमस्ते! It rains 👋👋 in Pune, and has since June.",
  toolCall: [{ name: "weather", arguments: { place: "Pune", days: 3 } }, { name: "stop" }]
}

const written = ({ reasoning, text, toolRequests }: Completion): string =>
  [reasoning, text, ...toolRequests.flatMap(({ arguments: text, name }) => [name, text])].join("")

const limited = (maxOutputTokens: number): ModelRequest => ({ ...request(user("Well")), limits: { maxOutputTokens } })

/** Every character is a token. */
const byCharacter = Layer.succeed(TokenCounter, { count: (text) => Effect.succeed([...text].length) })

const counted = (modelRequest: ModelRequest, rules: ReadonlyArray<ScriptedRule> = [everything]) =>
  Effect.flatMap(LanguageModel, (model) => model.generate(modelRequest)).pipe(
    Effect.provide(Layer.provide(ScriptedModel.layer(rules), byCharacter))
  )

describe("a limit of the output", () => {
  it.effect("truncates a completion at exactly that token", () =>
    Effect.gen(function*() {
      const whole = yield* counted(request(user("Well")))
      const characters = [...written(whole)].length
      assert.strictEqual(whole.usage?.outputTokens, characters)
      for (let limit = 1; limit < characters; limit++) {
        const part = yield* counted(limited(limit))
        assert.strictEqual(part.finish, "length")
        const tokens = part.usage?.outputTokens ?? 0
        assert.isAtMost(tokens, limit)
        assert.strictEqual([...written(part)].length, tokens)
        assert.isTrue(written(whole).startsWith(written(part)), written(part))
        if (tokens < limit) assert.isAtLeast(part.reasoning.length + part.text.length, 80, "only names are not cut")
      }
      assert.deepStrictEqual(yield* counted(limited(characters)), whole)
    }))

  it.effect("keeps a fragment of tool arguments, and drops later tools", () =>
    Effect.gen(function*() {
      const { toolRequests } = yield* counted(limited(20), [{ ...everything, reasoning: "", reply: "Look" }])
      assert.deepStrictEqual(toolRequests, [{ id: "call_1", name: "weather", arguments: `{"place":` }])
      const none = yield* counted(limited(8), [{ ...everything, reasoning: "", reply: "Look" }])
      assert.deepStrictEqual([none.toolRequests, none.finish, none.usage?.outputTokens], [[], "length", 4])
    }))

  it.effect("truncates refusals as well", () =>
    Effect.gen(function*() {
      const rule = { when: always, reasoning: "Hm.", refusal: "I must not." }
      assert.strictEqual((yield* counted(limited(9), [rule])).refusal, "I must")
      assert.isNull((yield* counted(limited(2), [rule])).refusal)
    }))

  it.effect.prop(
    "holds for every limit, without splitting a character",
    [FastCheck.fullUnicodeString({ maxLength: 60 }), FastCheck.integer({ min: 1, max: 20 })],
    ([reply, limit]) =>
      Effect.gen(function*() {
        const { finish, text, usage } = yield* ask(limited(limit), [{ when: always, reply: () => reply }])
        assert.isAtMost(usage?.outputTokens ?? Infinity, limit)
        assert.isTrue(reply.startsWith(text))
        assert.strictEqual(finish === "stop", text === reply)
        assert.isFalse(/[\ud800-\udbff]$/.test(text))
      })
  )

  it.effect("ignores stop sequences", () =>
    Effect.gen(function*() {
      const modelRequest = { ...request(user("It rains")), limits: { stop: ["rains"] } }
      assert.strictEqual((yield* ask(modelRequest)).text, "You said: It rains")
    }))
})

describe("the usage of the scripted model", () => {
  it.effect("counts the input with the default counter, images included", () =>
    Effect.gen(function*() {
      const image = { type: "image", mediaType: "image/png", base64: "A".repeat(1_000) } as const
      const usage = (modelRequest: ModelRequest) =>
        Effect.map(counted(modelRequest), ({ usage }) => usage?.inputTokens ?? 0)
      const plain: ModelRequest = { ...request(user("abc")), model: "model-v" }
      const shown: ModelRequest = {
        ...plain,
        messages: [{ role: "user", content: [{ type: "text", text: "abc" }, image] }]
      }
      assert.strictEqual((yield* usage(shown)) - (yield* usage(plain)), publicModels["model-v"].imageTokens)
      assert.strictEqual((yield* usage(request(user("abcd")))) - (yield* usage(request(user("abc")))), 1)
      const tools = { ...plain, tools: [{ name: "weather", description: "Tells it." }] }
      assert.isAbove(yield* usage(tools), yield* usage(plain))
    }))

  it.effect("counts a long prefix before the latest message as cached", () =>
    Effect.gen(function*() {
      const cached = (...messages: ReadonlyArray<Message>) =>
        Effect.map(counted(request(...messages)), ({ usage }) => usage?.cachedTokens)
      const long = system("x".repeat(1_500))
      assert.strictEqual(yield* cached(long, user("Hi"), agent("Hello"), user("So?")), 1_408)
      assert.strictEqual(yield* cached(long, user("Hi")), 0)
      assert.strictEqual(yield* cached(system("x".repeat(900)), user("Hi"), agent("Hello"), user("So?")), 0)
    }))

  it.effect("uses the models of the provided catalog", () =>
    Effect.gen(function*() {
      const catalog = Layer.succeed(ModelCatalog, { mine: publicModels["model-d"] })
      const { reasoning } = yield* Effect.flatMap(LanguageModel, (model) => model.generate(request(user("Well")))).pipe(
        Effect.provide(Layer.provide(ScriptedModel.layer(), catalog))
      )
      assert.notStrictEqual(reasoning, "")
    }))
})

describe("log probabilities", () => {
  const requestWith = (logprobs: number): ModelRequest => ({ ...request(user("It rains and rains in Pune")), logprobs })

  it.effect("accompany every piece of text, and their tokens are its text", () =>
    Effect.gen(function*() {
      for (const top of [0, 1, 5, 20]) {
        const { logprobs, text } = yield* ask(requestWith(top))
        assert.strictEqual(logprobs.map(({ token }) => token).join(""), text)
        for (const { logprob, token, top: likely } of logprobs) {
          assert.isBelow(logprob, 0)
          assert.lengthOf(likely, top)
          if (top > 0) assert.deepStrictEqual(likely[0], { token, logprob })
          const figures = likely.map((other) => other.logprob)
          assert.deepStrictEqual(figures, figures.toSorted((a, b) => b - a))
          assert.isAtMost(figures.reduce((sum, figure) => sum + Math.exp(figure), 0), 1.000_1)
          assert.strictEqual(new Set(likely.map((other) => other.token)).size, top)
        }
        const { pieces } = yield* piecesOf(requestWith(top))
        assert.isTrue(pieces.every((piece) => piece._tag !== "Text" || piece.logprobs?.[0]?.token === piece.text))
      }
    }))

  it.effect("are absent unless requested", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* ask(request(user("It rains")))).logprobs, [])
      const { pieces } = yield* piecesOf(request(user("It rains")))
      assert.isTrue(pieces.every((piece) => piece._tag !== "Text" || !("logprobs" in piece)))
    }))
})
