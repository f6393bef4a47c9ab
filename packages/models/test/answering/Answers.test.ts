import { assert, describe, it } from "@effect/vitest"
import { BadRequest, ModelUnavailable } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import {
  type AnswerRequest,
  Answers,
  appendDelta,
  type Delta,
  emptyCompletion,
  type ModelRequest,
  publicModels
} from "@trunkline/models"
import { Chunk, Effect, Stream } from "effect"
import {
  answersOf,
  bothWays,
  collected,
  events,
  finishes,
  generate,
  limited,
  type Model,
  request,
  sampleUsage,
  saying,
  stop,
  textOf,
  words
} from "./AnswerFixtures.js"

describe("a completion", () => {
  it.effect("arrives in pieces, followed by its finish reason and its usage", () =>
    Effect.gen(function*() {
      const answer = yield* collected(saying([...words("Hel", "lo"), { _tag: "Usage", usage: sampleUsage }, stop]))
      assert.deepStrictEqual(answer, [
        { _tag: "Piece", choice: 0, delta: { _tag: "Text", text: "Hel" } },
        { _tag: "Piece", choice: 0, delta: { _tag: "Text", text: "lo" } },
        { _tag: "Piece", choice: 0, delta: { _tag: "Finish", reason: "stop" } },
        { _tag: "Total", usage: sampleUsage }
      ])
    }))

  it.effect("keeps pieces together that arrived together", () =>
    Effect.gen(function*() {
      const model = { ...saying([]), stream: () => Stream.fromIterable<Delta>([...words("a", "b", "c"), stop]) }
      const chunks = yield* Stream.runCollect(Stream.chunks(events(model)))
      assert.strictEqual(Chunk.unsafeHead(chunks).length, 3)
    }))

  it.effect("that breaks off is a failure", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(collected(saying(words("Hel"))))
      assert.strictEqual(failure._tag, "ModelFailed")
    }))

  it.effect("has counted usage if its model reports none", () =>
    Effect.gen(function*() {
      const answer = yield* collected(
        saying([{ _tag: "Reasoning", text: "Hmm, a greeting." }, ...words("Hello there"), stop])
      )
      const total = answer.at(-1)
      assert.isTrue(total?._tag === "Total")
      if (total?._tag !== "Total") return
      assert.isAbove(total.usage.inputTokens, 0)
      assert.isAbove(total.usage.reasoningTokens, 0)
      assert.isAbove(total.usage.outputTokens, total.usage.reasoningTokens)
    }))
})

describe("a model that does not stop", () => {
  it.effect("is stopped at the maximum, and its completion has the finish reason length and its usage", () =>
    Effect.gen(function*() {
      let written = 0
      const endless: Model = {
        ...saying([]),
        stream: () =>
          Stream.repeatEffect(Effect.sync((): Delta => (written += 1, { _tag: "Text", text: "word ".repeat(100) })))
      }
      const answer = yield* collected(endless, limited({ maxOutputTokens: 10 }))
      assert.deepStrictEqual(finishes(answer), ["length"])
      assert.isBelow(written, 100)
      const total = answer.at(-1)
      assert.isTrue(total?._tag === "Total" && total.usage.outputTokens > 0)
    }))

  it.effect("and reports no usage has its tokens counted", () =>
    Effect.gen(function*() {
      const boasting = { inputTokens: 1e15, cachedTokens: 0, outputTokens: 1e15, reasoningTokens: 0 }
      const { usage } = yield* generate(saying([...words("Hi"), { _tag: "Usage", usage: boasting }, stop]))
      assert.isBelow(usage.outputTokens, 10)
    }))
})

describe("several choices", () => {
  it.effect("have indexes and seeds, and charge the input once and the output of each", () =>
    Effect.gen(function*() {
      const requests: Array<ModelRequest> = []
      const model = saying([...words("Hi"), { _tag: "Usage", usage: sampleUsage }, stop], requests)
      const answer = yield* collected(model, { choices: 3, request: { ...request, sampling: { seed: 5 } } })
      assert.deepStrictEqual([0, 1, 2].map((choice) => textOf(answer, choice)), ["Hi", "Hi", "Hi"])
      assert.deepStrictEqual(answer.at(-1), {
        _tag: "Total",
        usage: { ...sampleUsage, outputTokens: 15, reasoningTokens: 3 }
      })
      assert.deepStrictEqual(requests.map(({ sampling }) => sampling?.seed).toSorted(), [5, 6, 7])
      const whole = yield* generate(model, { choices: 3 })
      assert.strictEqual(whole.choices.length, 3)
      assert.strictEqual(whole.usage.outputTokens, 15)
    }))

  it.effect("are requested sixteen at a time", () =>
    Effect.gen(function*() {
      for (const answer of bothWays) {
        let running = 0
        let most = 0
        const busy = Effect.acquireUseRelease(
          Effect.sync(() => most = Math.max(most, running += 1)),
          () => Effect.repeatN(macroTask, 3),
          () => Effect.sync(() => running -= 1)
        )
        const pieces = [...words("Hi"), stop]
        yield* answer({
          generate: () => Effect.as(busy, pieces.reduce(appendDelta, emptyCompletion)),
          stream: () => Stream.concat(Stream.drain(Stream.fromEffect(busy)), Stream.fromIterable(pieces))
        }, { choices: 40 })
        assert.strictEqual(most, 16)
      }
    }))

  it.effect("fail together if one of them fails", () =>
    Effect.gen(function*() {
      let calls = 0
      const failing: Model = {
        generate: () => (calls++ === 1 ? new ModelUnavailable({ message: "gone" }) : Effect.never),
        stream: () => calls++ === 1 ? Stream.fail(new ModelUnavailable({ message: "gone" })) : Stream.never
      }
      assert.strictEqual((yield* Effect.flip(collected(failing, { choices: 2 })))._tag, "ModelUnavailable")
      calls = 0
      assert.strictEqual((yield* Effect.flip(generate(failing, { choices: 2 })))._tag, "ModelUnavailable")
    }))
})

describe("the context", () => {
  const small = { ...publicModels, "core-105b": { ...publicModels["core-105b"], contextTokens: 100 } }
  const long = { ...request, messages: [{ role: "user" as const, content: "word ".repeat(60) }] }
  const ask = (asking: Partial<AnswerRequest>, requests: Array<ModelRequest> = []) =>
    Effect.flatMap(Answers, (answers) => answers.generate({ request: long, ...asking })).pipe(
      Effect.provide(answersOf(saying([...words("Hi"), stop], requests), small))
    )

  it.effect("rejects a request that does not fit with its maximum output, before the model is called", () =>
    Effect.gen(function*() {
      const requests: Array<ModelRequest> = []
      const failure = yield* Effect.flip(ask({ request: { ...long, limits: { maxOutputTokens: 90 } } }, requests))
      assert.instanceOf(failure, BadRequest)
      assert.match(failure.message, /context of this model holds 100 tokens/)
      assert.deepStrictEqual(requests, [])
    }))

  it.effect("rejects an input that fills it alone", () =>
    Effect.gen(function*() {
      const endless = { ...request, messages: [{ role: "user" as const, content: "word ".repeat(600) }] }
      assert.instanceOf(yield* Effect.flip(ask({ request: endless })), BadRequest)
    }))

  it.effect("limits the default output to the remaining context", () =>
    Effect.gen(function*() {
      const requests: Array<ModelRequest> = []
      yield* ask({ usualOutputTokens: 2_048 }, requests)
      const limit = requests[0]?.limits?.maxOutputTokens ?? 0
      assert.isAbove(limit, 0)
      assert.isBelow(limit, 100)
    }))

  it.effect("is unlimited for a model without a documented length", () =>
    Effect.gen(function*() {
      const requests: Array<ModelRequest> = []
      yield* ask({ request: { ...long, model: "model-d" }, usualOutputTokens: 2_048 }, requests)
      assert.strictEqual(requests[0]?.limits?.maxOutputTokens, 2_048)
    }))
})

describe("features that a model lacks", () => {
  it.effect("are rejected: images and logprobs", () =>
    Effect.gen(function*() {
      const image = { type: "image", mediaType: "image/png", base64: "" } as const
      const withImage = { ...request, messages: [{ role: "user" as const, content: [image] }] }
      assert.instanceOf(yield* Effect.flip(generate(saying([]), { request: withImage })), BadRequest)
      const likely = { ...request, model: "model-g", logprobs: 0 }
      assert.instanceOf(yield* Effect.flip(generate(saying([]), { request: likely })), BadRequest)
    }))
})

describe("a strict schema", () => {
  const format = {
    type: "schema",
    name: "answer",
    strict: true,
    schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
  } as const
  const strictly = { request: { ...request, format } }

  it.effect("is satisfied by the completion, which otherwise fails", () =>
    Effect.gen(function*() {
      const whole = yield* generate(saying([...words("{\"n\":", "1}"), stop]), strictly)
      assert.strictEqual(whole.choices[0]?.text, "{\"n\":1}")
      for (const text of ["{\"n\":\"one\"}", "{\"n\":", "none"]) {
        assert.strictEqual((yield* Effect.flip(generate(saying([...words(text), stop]), strictly)))._tag, "ModelFailed")
        assert.strictEqual(
          (yield* Effect.flip(collected(saying([...words(text), stop]), strictly)))._tag,
          "ModelFailed"
        )
      }
    }))

  it.effect("does not apply to truncated completions, and never if it is not strict", () =>
    Effect.gen(function*() {
      const cut = yield* generate(saying([...words("{\"n\":"), { _tag: "Finish", reason: "length" }]), strictly)
      assert.strictEqual(cut.choices[0]?.finish, "length")
      const lenient = { request: { ...request, format: { ...format, strict: false } } }
      assert.strictEqual((yield* generate(saying([...words("none"), stop]), lenient)).choices[0]?.text, "none")
    }))

  it.effect("leaves the reasoning of a model that always reasons", () =>
    Effect.gen(function*() {
      const thinking = saying([{ _tag: "Reasoning", text: "Hmm." }, ...words("{\"n\":1}"), stop])
      const options = { request: { ...request, model: "model-g", format } }
      const answer = yield* collected(thinking, options)
      assert.isFalse(answer.some((event) => event._tag === "Piece" && event.delta._tag === "Reasoning"))
      assert.strictEqual((yield* generate(thinking, options)).choices[0]?.reasoning, "")
      const open = yield* collected(thinking, { request: { ...request, model: "model-g" } })
      assert.isTrue(open.some((event) => event._tag === "Piece" && event.delta._tag === "Reasoning"))
    }))
})
