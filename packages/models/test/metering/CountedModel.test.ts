import { assert, describe, it } from "@effect/vitest"
import { CurrentUsage, makeUsageMeter } from "@trunkline/kernel"
import { countedModel, type Model, type ModelRequest } from "@trunkline/models"
import { answers, ends, fakeModel, hangs, says, sends } from "@trunkline/models/testing"
import { Effect, Fiber, Stream, TestClock } from "effect"

const request: ModelRequest = { model: "core-105b", messages: [{ role: "user", content: "Tell me a story" }] }
const provider = { provider: "acme", modelOf: () => "acme-mini" }

const usageOf = <A, E>(use: (model: Model) => Effect.Effect<A, E>, model: Model) =>
  Effect.gen(function*() {
    const meter = makeUsageMeter()
    yield* Effect.locally(use(countedModel(model, provider)), CurrentUsage, meter)
    return meter.all().map(({ estimated = false, model, provider, quantity, unit }) =>
      `${provider} ${model} ${unit} ${estimated ? "about " : ""}${quantity}`
    )
  })

describe("a counted model", () => {
  it.effect("notes the tokens of whole and streamed answers, of which cached ones are apart from the input", () =>
    Effect.gen(function*() {
      const usage = { inputTokens: 100, cachedTokens: 60, outputTokens: 9, reasoningTokens: 4, audioInputTokens: 10 }
      const model = fakeModel([[
        ...says("Once"),
        sends({ _tag: "Usage", usage }, { _tag: "Finish", reason: "stop" })
      ]])
      const expected = [
        "acme acme-mini input_token 30",
        "acme acme-mini cached_input_token 60",
        "acme acme-mini output_token 9",
        "acme acme-mini audio_input_token 10"
      ]
      assert.deepStrictEqual(yield* usageOf(({ generate }) => generate(request), model), expected)
      assert.deepStrictEqual(yield* usageOf(({ stream }) => Stream.runDrain(stream(request)), model), expected)
    }))

  it.effect("estimates an answer that is broken off, whose provider tells nothing", () =>
    Effect.gen(function*() {
      const model = fakeModel([[...says("Once upon a time there was a king"), hangs]])
      const taken = yield* usageOf(({ stream }) => Stream.runDrain(Stream.take(stream(request), 1)), model)
      assert.lengthOf(taken, 2)
      assert.match(taken[0] ?? "", /^acme acme-mini input_token about [1-9]/)
      assert.match(taken[1] ?? "", /^acme acme-mini output_token about [1-9]/)
      const interrupted = yield* usageOf(({ generate }) =>
        Effect.gen(function*() {
          const fiber = yield* Effect.fork(generate(request))
          yield* TestClock.adjust("1 second")
          yield* Fiber.interrupt(fiber)
        }), model)
      assert.lengthOf(interrupted, 1)
    }))

  it.effect("is as before where nobody counts", () =>
    Effect.gen(function*() {
      const { generate } = countedModel(fakeModel([answers("Hello")]), provider)
      assert.strictEqual((yield* generate(request)).text, "Hello")
      assert.deepStrictEqual(yield* usageOf(({ generate }) => generate(request), fakeModel([[ends(0)]])), [
        "acme acme-mini input_token 1"
      ])
    }))
})
