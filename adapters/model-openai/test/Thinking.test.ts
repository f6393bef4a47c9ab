import { assert, describe, it } from "@effect/vitest"
import type { Capabilities } from "@trunkline/model-openai"
import type { LanguageModel, ModelRequest } from "@trunkline/models"
import { Effect } from "effect"
import { modelBefore, piecesOf, untilFailure } from "./fixtures/Asking.js"
import type { Script, Seen, Step } from "./fixtures/FakeUpstream.js"
import { event, hello, json, streaming, whole, words } from "./fixtures/Wire.js"

const plainly: ModelRequest = { ...hello, effort: null }

const templateSwitch = { chat_template_kwargs: { enable_thinking: false } }
const effortNone = { reasoning_effort: "none" }

const answered = ({ body }: Seen): ReadonlyArray<Step> =>
  body["stream"] === true ?
    streaming(words("Hi"), { ...words(""), choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
    : json(whole({ content: "Hi" }))

/** A server that refuses whatever has one of these fields. */
const refusing = (...fields: ReadonlyArray<string>): Script => (request) =>
  fields.some((field) => field in request.body)
    ? json({ error: { message: "Unrecognized request argument", type: "invalid_request_error" } }, 400)
    : answered(request)

/** The fields about thinking in each request. */
const bodiesOf = ({ requests }: { readonly requests: ReadonlyArray<Seen> }) =>
  requests.map(({ body: { messages: _, model: __, stream: ___, stream_options: ____, ...others } }) => others)

const ways: ReadonlyArray<readonly [name: string, (model: LanguageModel["Type"]) => Effect.Effect<unknown, unknown>]> =
  [
    ["whole", (model) => model.generate(plainly)],
    ["streamed", (model) => piecesOf(model, plainly)]
  ]

const withCapabilities = (capabilities: Partial<Capabilities>) => ({ capabilities: { all: capabilities } })

describe.each(ways)("reasoning effort none, %s", (_, ask) => {
  it.scopedLive("is sent as the option of chat templates that servers of open models know", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(answered)
      yield* ask(model)
      yield* ask(model)
      assert.deepStrictEqual(bodiesOf(upstream), [templateSwitch, templateSwitch])
    }))

  it.scopedLive("is sent as an effort to a server that rejects the option, which is detected once", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(refusing("chat_template_kwargs"))
      yield* ask(model)
      yield* ask(model)
      assert.deepStrictEqual(bodiesOf(upstream), [templateSwitch, effortNone, effortNone])
    }))

  it.scopedLive("is omitted for a server that rejects both", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(refusing("chat_template_kwargs", "reasoning_effort"))
      yield* ask(model)
      yield* ask(model)
      assert.deepStrictEqual(bodiesOf(upstream), [templateSwitch, effortNone, {}, {}])
    }))

  it.scopedLive("is not considered rejected if the request is rejected for another reason", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(refusing("messages"))
      assert.propertyVal(yield* Effect.flip(ask(model)), "_tag", "BadRequest")
      upstream.answer(answered)
      yield* ask(model)
      assert.deepStrictEqual(bodiesOf(upstream), [templateSwitch, effortNone, {}, templateSwitch])
    }))

  it.scopedLive("is not considered rejected if the server is unavailable", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(json({}, 503))
      assert.propertyVal(yield* Effect.flip(ask(model)), "_tag", "ModelUnavailable")
      assert.deepStrictEqual(bodiesOf(upstream), [templateSwitch])
    }))

  it.scopedLive("is sent in configured fields only", () =>
    Effect.gen(function*() {
      const extraBody = { thinking: { type: "disabled" } }
      const { model, upstream } = yield* modelBefore(answered, withCapabilities({ noThinking: extraBody }))
      yield* ask(model)
      upstream.answer(refusing("thinking"))
      assert.propertyVal(yield* Effect.flip(ask(model)), "_tag", "BadRequest")
      assert.deepStrictEqual(bodiesOf(upstream), [extraBody, extraBody])
    }))

  it.scopedLive("is sent as the configured word or option", () =>
    Effect.gen(function*() {
      for (
        const [capabilities, fields] of [
          [{ effortWords: { none: "minimal" } }, { reasoning_effort: "minimal" }],
          [{ effort: "thinking_switch" }, templateSwitch]
        ] as const
      ) {
        const { model, upstream } = yield* modelBefore(answered, withCapabilities(capabilities))
        yield* ask(model)
        assert.deepStrictEqual(bodiesOf(upstream), [fields])
      }
    }))

  it.scopedLive("is never sent to a server without support", () =>
    Effect.gen(function*() {
      for (const capabilities of [{ noThinking: null }, { effort: "unsaid" }] as const) {
        const { model, upstream } = yield* modelBefore(answered, withCapabilities(capabilities))
        yield* ask(model)
        assert.deepStrictEqual(bodiesOf(upstream), [{}])
      }
    }))
})

describe("reasoning effort none", () => {
  it.scopedLive("is not resent in another form once a piece was passed", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([
        { write: event(words("Hel")) },
        { write: event({ error: { message: "no", type: "invalid_request_error" } }) },
        "end"
      ])
      const { failure, pieces } = yield* untilFailure(model, plainly)
      assert.strictEqual(failure._tag, "BadRequest")
      assert.lengthOf(pieces, 1)
      assert.lengthOf(upstream.requests, 1)
    }))

  it.scopedLive("does not affect requests with another effort or without one", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(answered)
      yield* model.generate(hello)
      yield* model.generate({ ...hello, effort: "low" })
      assert.deepStrictEqual(bodiesOf(upstream), [{}, { reasoning_effort: "low" }])
    }))
})
