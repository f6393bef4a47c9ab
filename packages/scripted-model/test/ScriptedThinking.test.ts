import { assert, describe, it } from "@effect/vitest"
import { type AnswerFormat, type Effort, efforts, type ModelRequest, TokenCounter } from "@trunkline/models"
import { Effect } from "effect"
import { ask, piecesOf, request, user } from "./Fixtures.js"

const requestWith = (model: string, changes: Partial<ModelRequest> = {}): ModelRequest => ({
  ...request(user("It rains and rains")),
  model,
  ...changes
})

const reasoningOf = (model: string, changes: Partial<ModelRequest> = {}) =>
  Effect.map(ask(requestWith(model, changes)), ({ reasoning }) => reasoning)

const schema = (strict: boolean): AnswerFormat => ({ type: "schema", name: "a", strict, schema: { type: "object" } })

describe("the reasoning of the scripted model", () => {
  it.effect("is present for a model that always reasons, and mostly by default", () =>
    Effect.gen(function*() {
      const [none, low, high, free] = yield* Effect.all([
        reasoningOf("model-g", { effort: null }),
        reasoningOf("model-g", { effort: "low" }),
        reasoningOf("model-g", { effort: "high" }),
        reasoningOf("model-g")
      ])
      assert.strictEqual(none, low)
      assert.isAbove(low.length, 0)
      assert.isAbove(free.length, high.length)
    }))

  it.effect("is omitted before JSON and a strict schema, not before another schema", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* reasoningOf("model-g", { format: { type: "json" } }), "")
      assert.strictEqual(yield* reasoningOf("model-g", { format: schema(true), effort: "high" }), "")
      assert.notStrictEqual(yield* reasoningOf("model-g", { format: schema(false) }), "")
      assert.notStrictEqual(yield* reasoningOf("model-g", { format: { type: "text" } }), "")
    }))

  it.effect("is present for a model that reasons by default, unless disabled", () =>
    Effect.gen(function*() {
      for (const model of ["core-105b", "core-105b-conversations", "model-d"]) {
        assert.strictEqual(yield* reasoningOf(model), yield* reasoningOf(model, { effort: "medium" }))
        assert.notStrictEqual(yield* reasoningOf(model, { format: { type: "json" } }), "")
        assert.strictEqual(yield* reasoningOf(model, { effort: null }), "")
      }
    }))

  it.effect("is absent for models without reasoning and unknown models", () =>
    Effect.gen(function*() {
      for (const model of ["model-v", "mine", "Model-G", "toString"]) {
        assert.strictEqual(yield* reasoningOf(model, { effort: "max" }), "")
      }
    }))

  it.effect("grows with the effort", () =>
    Effect.gen(function*() {
      const lengths = yield* Effect.forEach(
        efforts,
        (effort: Effort) => Effect.map(reasoningOf("model-d", { effort }), ({ length }) => length)
      )
      assert.deepStrictEqual(lengths, lengths.toSorted((a, b) => a - b))
      assert.strictEqual(new Set(lengths).size, efforts.length)
    }))

  it.effect("is about the request, and varies by seed", () =>
    Effect.gen(function*() {
      const tools = [{ name: "get_time" }]
      const thoughts = yield* reasoningOf("model-d", { tools })
      assert.include(thoughts, "It rains and rains")
      assert.include(thoughts, "get_time")
      assert.notStrictEqual(yield* reasoningOf("model-d", { tools, sampling: { seed: 1 } }), thoughts)
    }))

  it.effect("streams word by word before the text, and counts as output", () =>
    Effect.gen(function*() {
      const { pieces } = yield* piecesOf(requestWith("model-d"))
      const kinds = pieces.map(({ _tag }) => _tag)
      assert.isAbove(kinds.lastIndexOf("Reasoning"), 10)
      assert.isAbove(kinds.indexOf("Text"), kinds.lastIndexOf("Reasoning"))
      const { reasoning, text, usage } = yield* ask(requestWith("model-d"))
      const { count } = yield* TokenCounter
      assert.strictEqual(usage?.reasoningTokens, yield* count(reasoning))
      assert.strictEqual(usage?.outputTokens, (yield* count(reasoning)) + (yield* count(text)))
    }).pipe(Effect.provide(TokenCounter.layer)))
})
