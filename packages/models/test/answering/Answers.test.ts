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
  saying,
  stop,
  textOf,
  told,
  words
} from "./AnswerFixtures.js"

describe("an answer", () => {
  it.effect("comes in pieces, then its finish, then what it took", () =>
    Effect.gen(function*() {
      const all = yield* collected(saying([...words("Hel", "lo"), { _tag: "Usage", usage: told }, stop]))
      assert.deepStrictEqual(all, [
        { _tag: "Piece", choice: 0, delta: { _tag: "Text", text: "Hel" } },
        { _tag: "Piece", choice: 0, delta: { _tag: "Text", text: "lo" } },
        { _tag: "Piece", choice: 0, delta: { _tag: "Finish", reason: "stop" } },
        { _tag: "Total", usage: told }
      ])
    }))

  it.effect("keeps together what arrived together", () =>
    Effect.gen(function*() {
      const model = { ...saying([]), stream: () => Stream.fromIterable<Delta>([...words("a", "b", "c"), stop]) }
      const chunks = yield* Stream.runCollect(Stream.chunks(events(model)))
      assert.strictEqual(Chunk.unsafeHead(chunks).length, 3)
    }))

  it.effect("that broke off is a failure and no answer", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(collected(saying(words("Hel"))))
      assert.strictEqual(failure._tag, "ModelFailed")
    }))

  it.effect("counts what it took where its model does not say", () =>
    Effect.gen(function*() {
      const all = yield* collected(
        saying([{ _tag: "Reasoning", text: "Hmm, a greeting." }, ...words("Hello there"), stop])
      )
      const total = all.at(-1)
      assert.isTrue(total?._tag === "Total")
      if (total?._tag !== "Total") return
      assert.isAbove(total.usage.inputTokens, 0)
      assert.isAbove(total.usage.reasoningTokens, 0)
      assert.isAbove(total.usage.outputTokens, total.usage.reasoningTokens)
    }))
})

describe("a model that does not know its end", () => {
  it.effect("is cut, and its answer told as such and counted", () =>
    Effect.gen(function*() {
      let written = 0
      const endless: Model = {
        ...saying([]),
        stream: () =>
          Stream.repeatEffect(Effect.sync((): Delta => (written += 1, { _tag: "Text", text: "word ".repeat(100) })))
      }
      const all = yield* collected(endless, limited({ maxOutputTokens: 10 }))
      assert.deepStrictEqual(finishes(all), ["length"])
      assert.isBelow(written, 100)
      const total = all.at(-1)
      assert.isTrue(total?._tag === "Total" && total.usage.outputTokens > 0)
    }))

  it.effect("nor counts what it took, is counted", () =>
    Effect.gen(function*() {
      const boasting = { inputTokens: 1e15, cachedTokens: 0, outputTokens: 1e15, reasoningTokens: 0 }
      const { usage } = yield* generate(saying([...words("Hi"), { _tag: "Usage", usage: boasting }, stop]))
      assert.isBelow(usage.outputTokens, 10)
    }))
})

describe("several answers", () => {
  it.effect("are told apart, take the input once and the output of all, and have seeds of their own", () =>
    Effect.gen(function*() {
      const seen: Array<ModelRequest> = []
      const model = saying([...words("Hi"), { _tag: "Usage", usage: told }, stop], seen)
      const all = yield* collected(model, { choices: 3, request: { ...request, sampling: { seed: 5 } } })
      assert.deepStrictEqual([0, 1, 2].map((choice) => textOf(all, choice)), ["Hi", "Hi", "Hi"])
      assert.deepStrictEqual(all.at(-1), { _tag: "Total", usage: { ...told, outputTokens: 15, reasoningTokens: 3 } })
      assert.deepStrictEqual(seen.map(({ sampling }) => sampling?.seed).toSorted(), [5, 6, 7])
      const whole = yield* generate(model, { choices: 3 })
      assert.strictEqual(whole.choices.length, 3)
      assert.strictEqual(whole.usage.outputTokens, 15)
    }))

  it.effect("are asked for sixteen at a time, however many there are to be", () =>
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

  it.effect("fail together when one of them fails", () =>
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
  const ask = (asking: Partial<AnswerRequest>, seen: Array<ModelRequest> = []) =>
    Effect.flatMap(Answers, (answers) => answers.generate({ request: long, ...asking })).pipe(
      Effect.provide(answersOf(saying([...words("Hi"), stop], seen), small))
    )

  it.effect("refuses what does not fit with the output that is asked for, before the model is asked", () =>
    Effect.gen(function*() {
      const seen: Array<ModelRequest> = []
      const failure = yield* Effect.flip(ask({ request: { ...long, limits: { maxOutputTokens: 90 } } }, seen))
      assert.instanceOf(failure, BadRequest)
      assert.match(failure.message, /context of this model holds 100 tokens/)
      assert.deepStrictEqual(seen, [])
    }))

  it.effect("refuses an input that fills it alone", () =>
    Effect.gen(function*() {
      const endless = { ...request, messages: [{ role: "user" as const, content: "word ".repeat(600) }] }
      assert.instanceOf(yield* Effect.flip(ask({ request: endless })), BadRequest)
    }))

  it.effect("shrinks the usual output to what it leaves", () =>
    Effect.gen(function*() {
      const seen: Array<ModelRequest> = []
      yield* ask({ usualOutputTokens: 2_048 }, seen)
      const limit = seen[0]?.limits?.maxOutputTokens ?? 0
      assert.isAbove(limit, 0)
      assert.isBelow(limit, 100)
    }))

  it.effect("is no limit where none is promised", () =>
    Effect.gen(function*() {
      const seen: Array<ModelRequest> = []
      yield* ask({ request: { ...long, model: "model-d" }, usualOutputTokens: 2_048 }, seen)
      assert.strictEqual(seen[0]?.limits?.maxOutputTokens, 2_048)
    }))
})

describe("features that a model lacks", () => {
  it.effect("is refused: images and logprobs", () =>
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

  it.effect("is kept, or the answer is a failure", () =>
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

  it.effect("binds no answer that was cut short, and none at all where it is not strict", () =>
    Effect.gen(function*() {
      const cut = yield* generate(saying([...words("{\"n\":"), { _tag: "Finish", reason: "length" }]), strictly)
      assert.strictEqual(cut.choices[0]?.finish, "length")
      const lenient = { request: { ...request, format: { ...format, strict: false } } }
      assert.strictEqual((yield* generate(saying([...words("none"), stop]), lenient)).choices[0]?.text, "none")
    }))

  it.effect("keeps the thoughts of a model that always thinks to itself", () =>
    Effect.gen(function*() {
      const thinking = saying([{ _tag: "Reasoning", text: "Hmm." }, ...words("{\"n\":1}"), stop])
      const asked = { request: { ...request, model: "model-g", format } }
      const all = yield* collected(thinking, asked)
      assert.isFalse(all.some((event) => event._tag === "Piece" && event.delta._tag === "Reasoning"))
      assert.strictEqual((yield* generate(thinking, asked)).choices[0]?.reasoning, "")
      const open = yield* collected(thinking, { request: { ...request, model: "model-g" } })
      assert.isTrue(open.some((event) => event._tag === "Piece" && event.delta._tag === "Reasoning"))
    }))
})
