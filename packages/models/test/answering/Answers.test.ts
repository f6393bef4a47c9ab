import { assert, describe, it } from "@effect/vitest"
import { BadRequest, BillingUnavailable, InsufficientCredits, ModelUnavailable } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import {
  type AnswerEvent,
  type AnswerFailure,
  type AnswerRequest,
  Answers,
  appendDelta,
  type Delta,
  emptyCompletion,
  LanguageModel,
  type Meter,
  ModelCatalog,
  type ModelRequest,
  publicModels,
  TokenCounter,
  type Usage
} from "@trunkline/models"
import { Chunk, Deferred, Effect, Fiber, Layer, Ref, Stream } from "effect"

const request: ModelRequest = { model: "core-105b", messages: [{ role: "user", content: "Hello" }] }

const told: Usage = { inputTokens: 7, cachedTokens: 2, outputTokens: 5, reasoningTokens: 1 }

const words = (...texts: ReadonlyArray<string>): ReadonlyArray<Delta> =>
  texts.map((text) => ({ _tag: "Text", text }) as const)

const stop: Delta = { _tag: "Finish", reason: "stop" }

type Model = LanguageModel["Type"]

/** A model that gives these pieces, each in a chunk of its own, whatever it is asked; `seen` is what it was asked. */
const saying = (pieces: ReadonlyArray<Delta>, seen: Array<ModelRequest> = []): Model => ({
  generate: (request) => {
    seen.push(request)
    return Effect.succeed(pieces.reduce(appendDelta, emptyCompletion))
  },
  stream: (request) => {
    seen.push(request)
    return Stream.fromIterable(pieces).pipe(Stream.rechunk(1))
  }
})

const answersOf = (model: Model, catalog = publicModels) =>
  Answers.layer.pipe(
    Layer.provide([Layer.succeed(LanguageModel, model), TokenCounter.layer, Layer.succeed(ModelCatalog, catalog)])
  )

const generate = (model: Model, asking: Partial<AnswerRequest> = {}) =>
  Effect.flatMap(Answers, (answers) => answers.generate({ request, ...asking })).pipe(Effect.provide(answersOf(model)))

const events = (model: Model, asking: Partial<AnswerRequest> = {}) =>
  Stream.unwrap(Effect.map(Answers, (answers) => answers.stream({ request, ...asking }))).pipe(
    Stream.provideLayer(answersOf(model))
  )

const collected = (model: Model, asking: Partial<AnswerRequest> = {}) =>
  Effect.map(Stream.runCollect(events(model, asking)), Chunk.toReadonlyArray)

/** Both ways to answer, whatever they answer. */
const bothWays: ReadonlyArray<(model: Model, asking: Partial<AnswerRequest>) => Effect.Effect<void, AnswerFailure>> = [
  (model, asking) => Effect.asVoid(generate(model, asking)),
  (model, asking) => Effect.asVoid(collected(model, asking))
]

const textOf = (events: ReadonlyArray<AnswerEvent>, choice = 0) =>
  events.flatMap((event) =>
    event._tag === "Piece" && event.choice === choice && event.delta._tag === "Text" ? [event.delta.text] : []
  ).join("")

const finishes = (events: ReadonlyArray<AnswerEvent>) =>
  events.flatMap((event) => event._tag === "Piece" && event.delta._tag === "Finish" ? [event.delta.reason] : [])

/** A meter that keeps a record. */
const recording = (refusal?: InsufficientCredits) =>
  Effect.map(Ref.make<ReadonlyArray<string>>([]), (record) => {
    const note = (line: string) => Ref.update(record, (lines) => [...lines, line])
    const meter: Meter = {
      reserve: ({ outputTokens }) =>
        refusal === undefined ? note(`reserve ${outputTokens}`) : Effect.zipRight(note("refuse"), refusal),
      settle: ({ inputTokens, outputTokens }) => note(`settle ${inputTokens} ${outputTokens}`),
      release: note("release")
    }
    return { meter, record: Ref.get(record) }
  })

const limited = (limits: ModelRequest["limits"]): Partial<AnswerRequest> => ({
  request: { ...request, ...(limits && { limits }) }
})

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

describe("stop sequences", () => {
  const pieces = [...words("One, t", "wo, th", "ree, four"), stop]

  it.effect("end the answer before them, also across pieces, and stop the model", () =>
    Effect.gen(function*() {
      const isStopped = yield* Ref.make(false)
      const model: Model = {
        ...saying(pieces),
        stream: () =>
          Stream.concat(Stream.rechunk(Stream.fromIterable(pieces.slice(0, 3)), 1), Stream.never).pipe(
            Stream.ensuring(Ref.set(isStopped, true))
          )
      }
      const all = yield* collected(model, limited({ stop: ["three"] }))
      assert.strictEqual(textOf(all), "One, two, ")
      assert.deepStrictEqual(finishes(all), ["stop"])
      assert.isTrue(yield* Ref.get(isStopped))
    }))

  it.effect("end whole answers as well", () =>
    Effect.gen(function*() {
      const { choices: [first] } = yield* generate(saying(pieces), limited({ stop: ["four", "two"] }))
      assert.deepStrictEqual([first?.text, first?.finish], ["One, ", "stop"])
    }))

  it.effect("cost the same, streamed or not: what was shown", () =>
    Effect.gen(function*() {
      const model = saying([...words("One, t", "wo, th", "ree, four"), { _tag: "Usage", usage: told }, stop])
      const asked = limited({ stop: ["three"] })
      const total = (yield* collected(model, asked)).at(-1)
      assert.deepStrictEqual(total, { _tag: "Total", usage: (yield* generate(model, asked)).usage })
    }))

  it.effect("that are only told apart at the end end the answer all the same", () =>
    Effect.gen(function*() {
      const asked = limited({ stop: ["bc", "abcd"] })
      const all = yield* collected(saying([...words("x", "abc"), { _tag: "Finish", reason: "length" }]), asked)
      assert.deepStrictEqual([textOf(all), finishes(all)], ["xa", ["stop"]])
    }))

  it.effect("that are not met hold nothing back in the end", () =>
    Effect.gen(function*() {
      const all = yield* collected(saying(pieces), limited({ stop: ["four!"] }))
      assert.strictEqual(textOf(all), "One, two, three, four")
    }))
})

describe("text that may begin a stop sequence", () => {
  it.effect("is shown before a tool is asked for", () =>
    Effect.gen(function*() {
      const tool: Delta = { _tag: "ToolStart", index: 0, id: "call_1", name: "look" }
      const finish: Delta = { _tag: "Finish", reason: "tool_calls" }
      const all = yield* collected(saying([...words("a st"), tool, finish]), limited({ stop: ["stop"] }))
      const tags = all.flatMap((event) => event._tag === "Piece" ? [event.delta._tag] : [])
      assert.deepStrictEqual(tags, ["Text", "Text", "ToolStart", "Finish"])
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

describe("payment", () => {
  const whole = saying([...words("Hi"), { _tag: "Usage", usage: told }, stop])

  it.effect("sets aside the most, and takes what was used, once", () =>
    Effect.gen(function*() {
      for (const run of bothWays) {
        const { meter, record } = yield* recording()
        yield* run(whole, { meter, ...limited({ maxOutputTokens: 50 }) })
        assert.deepStrictEqual(yield* record, ["reserve 50", "settle 7 5"])
      }
    }))

  it.effect("that is refused keeps the model from being asked", () =>
    Effect.gen(function*() {
      const seen: Array<ModelRequest> = []
      const { meter, record } = yield* recording(new InsufficientCredits({ message: "empty" }))
      for (const run of bothWays) {
        const failure = yield* Effect.flip(run(saying([stop], seen), { meter }))
        assert.strictEqual(failure._tag, "InsufficientCredits")
      }
      assert.deepStrictEqual(yield* record, ["refuse", "refuse"])
      assert.deepStrictEqual(seen, [])
    }))

  it.effect("is given back when the model fails, also in the middle", () =>
    Effect.gen(function*() {
      const gone = new ModelUnavailable({ message: "gone" })
      const failing: Model = {
        generate: () => gone,
        stream: () => Stream.concat(Stream.fromIterable(words("Hi")), Stream.fail(gone))
      }
      for (const run of bothWays) {
        const { meter, record } = yield* recording()
        yield* Effect.flip(run(failing, { meter }))
        assert.deepStrictEqual(yield* record, ["reserve 4096", "release"])
      }
    }))

  it.effect("takes what was written until the client left, once", () =>
    Effect.gen(function*() {
      const { meter, record } = yield* recording()
      const begun = yield* Deferred.make<void>()
      const endless: Model = {
        ...whole,
        stream: () => Stream.concat(Stream.fromIterable(words("Hello ", "there")), Stream.never)
      }
      const reading = yield* Effect.fork(
        Stream.runForEach(events(endless, { meter }), () => Deferred.succeed(begun, undefined))
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(reading)
      const lines = yield* record
      assert.strictEqual(lines.length, 2)
      assert.match(lines[1] ?? "", /^settle [1-9]\d* [1-9]\d*$/)
    }))

  it.effect("of a whole answer is for the input alone when the client left before it", () =>
    Effect.gen(function*() {
      const { meter, record } = yield* recording()
      const asked = yield* Deferred.make<void>()
      const slow: Model = {
        ...whole,
        generate: () => Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never)
      }
      const waiting = yield* Effect.fork(generate(slow, { meter }))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(waiting)
      const lines = yield* record
      assert.strictEqual(lines[0], "reserve 4096")
      assert.match(lines[1] ?? "", /^settle [1-9]\d* 0$/)
      assert.strictEqual(lines.length, 2)
    }))

  it.effect("is taken for an answer that was shown whole, though it has not the form that was asked for", () =>
    Effect.gen(function*() {
      const { meter, record } = yield* recording()
      const format = { type: "schema", name: "n", strict: true, schema: { type: "object" } } as const
      yield* Effect.flip(collected(whole, { meter, request: { ...request, format } }))
      assert.deepStrictEqual(yield* record, ["reserve 4096", "settle 7 5"])
    }))

  it.effect("is taken once, also when the client leaves while it is", () =>
    Effect.gen(function*() {
      for (const run of bothWays) {
        const { meter, record } = yield* recording()
        const settling = yield* Deferred.make<void>()
        const slow: Meter = {
          ...meter,
          settle: (used) =>
            Deferred.succeed(settling, undefined).pipe(
              Effect.zipRight(Effect.yieldNow().pipe(Effect.repeatN(20))),
              Effect.zipRight(meter.settle(used))
            )
        }
        const reading = yield* Effect.fork(run(whole, { meter: slow }))
        yield* Deferred.await(settling)
        yield* Fiber.interrupt(reading)
        assert.deepStrictEqual(yield* record, ["reserve 4096", "settle 7 5"])
      }
    }))

  it.effect("that cannot be recorded gives back what was set aside", () =>
    Effect.gen(function*() {
      for (const run of bothWays) {
        const { meter, record } = yield* recording()
        yield* Effect.flip(run(whole, { meter: { ...meter, settle: () => new BillingUnavailable() } }))
        assert.deepStrictEqual(yield* record, ["reserve 4096", "release"])
      }
    }))

  it.effect("that cannot be recorded is a failure in place of the total", () =>
    Effect.gen(function*() {
      const { meter } = yield* recording()
      const broken: Meter = { ...meter, settle: () => new BillingUnavailable() }
      for (const run of bothWays) {
        assert.strictEqual((yield* Effect.flip(run(whole, { meter: broken })))._tag, "BillingUnavailable")
      }
    }))
})
