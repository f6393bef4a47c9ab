import { assert, describe, it } from "@effect/vitest"
import { CurrentRequestId } from "@trunkline/kernel"
import { OpenAiModel } from "@trunkline/model-openai"
import { LanguageModel } from "@trunkline/models"
import { Cause, Effect, Exit, Redacted } from "effect"
import { modelBefore, piecesOf } from "./fixtures/Asking.js"
import { chunk, hello, json, streaming, whole } from "./fixtures/Wire.js"

const answer = json(whole({ content: "Hi" }))

describe("a request", () => {
  it.scopedLive("is sent to the URL with the key, the headers and the request id", () =>
    Effect.gen(function*() {
      const { upstream } = yield* modelBefore(answer)
      const model = yield* OpenAiModel.make({
        baseUrl: `${upstream.baseUrl}//?version=2`,
        apiKey: Redacted.make("k1"),
        headers: { "Api-Key": "k2", "Content-Type": "text/plain" }
      })
      yield* Effect.locally(model.generate(hello), CurrentRequestId, "20261120_a")
      const [request] = upstream.requests
      assert.strictEqual(request?.path, "/v1/chat/completions?version=2")
      assert.include(request?.headers, {
        "authorization": "Bearer k1",
        "api-key": "k2",
        "content-type": "application/json",
        "x-request-id": "20261120_a"
      })
    }))

  it.scopedLive("has neither key nor request id if there are none", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(answer)
      yield* model.generate(hello)
      assert.notProperty(upstream.requests[0]?.headers, "authorization")
      assert.notProperty(upstream.requests[0]?.headers, "x-request-id")
    }))

  it.scopedLive("has the upstream's id of the model", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(answer, { models: { m: "org/M-7B" } })
      yield* model.generate(hello)
      yield* model.generate({ ...hello, model: "constructor" })
      assert.deepStrictEqual(upstream.requests.map(({ body }) => body.model), ["org/M-7B", "constructor"])
    }))

  it.scopedLive("for a model that is not listed is rejected if only listed ones are allowed", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(answer, { models: { m: "M" }, strictModels: true })
      yield* model.generate(hello)
      const other = { ...hello, model: "other" }
      for (const failure of [yield* Effect.flip(model.generate(other)), yield* Effect.flip(piecesOf(model, other))]) {
        assert.strictEqual(failure._tag, "ModelUnavailable")
        assert.strictEqual(failure.message, "This model is not available here")
      }
      assert.lengthOf(upstream.requests, 1)
    }))

  it.scopedLive("that the model does not support is not sent", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(answer, { capabilities: { byModel: { m: { logprobs: false } } } })
      const request = { ...hello, logprobs: 0 }
      for (
        const failure of [yield* Effect.flip(model.generate(request)), yield* Effect.flip(piecesOf(model, request))]
      ) {
        assert.strictEqual(failure._tag, "BadRequest")
      }
      assert.lengthOf(upstream.requests, 0)
    }))

  it.scopedLive("does not follow redirects", () =>
    Effect.gen(function*() {
      const elsewhere = yield* modelBefore(answer)
      const { model, upstream } = yield* modelBefore([])
      for (const status of [301, 302, 303, 307, 308]) {
        upstream.answer(json({}, status, { location: `${elsewhere.upstream.baseUrl}/chat/completions` }))
        assert.strictEqual((yield* Effect.flip(model.generate(hello)))._tag, "ModelFailed")
      }
      assert.lengthOf(elsewhere.upstream.requests, 0)
    }))

  it.scopedLive("with a key that no header can hold fails without repeating the key", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(answer, { apiKey: Redacted.make("k1\nhidden") })
      const failure = yield* Effect.flip(model.generate(hello))
      assert.strictEqual(failure._tag, "ModelUnavailable")
      assert.notInclude(JSON.stringify(failure), "hidden")
      assert.lengthOf(upstream.requests, 0)
    }))
})

describe("OpenAiModel", () => {
  it.scopedLive("closes idle connections after a timeout", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(answer, { keepAlive: 50 })
      yield* model.generate(hello)
      assert.strictEqual(upstream.open(), 1)
      yield* Effect.iterate(0, { while: () => upstream.open() > 0, body: () => Effect.as(Effect.sleep(5), 0) })
      assert.strictEqual((yield* model.generate(hello)).text, "Hi")
    }))

  it.scopedLive("provides a layer", () =>
    Effect.gen(function*() {
      const { upstream } = yield* modelBefore(streaming(chunk({ content: "Hi" }, "stop")))
      const pieces = yield* Effect.flatMap(LanguageModel, (model) => piecesOf(model)).pipe(
        Effect.provide(OpenAiModel.layer({ baseUrl: upstream.baseUrl }))
      )
      assert.lengthOf(pieces, 2)
    }))

  it.scopedLive("dies with an unusable URL, without repeating it", () =>
    Effect.gen(function*() {
      for (const baseUrl of ["", "127.0.0.1:8000", "ftp://host/v1", "https://user:hidden@host/v1", "http://"]) {
        const exit = yield* Effect.exit(OpenAiModel.make({ baseUrl }))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), baseUrl)
        assert.notInclude(String(exit), "hidden")
      }
    }))

  it("never prints its key", () => {
    const options = { baseUrl: "http://host", apiKey: Redacted.make("hidden") }
    assert.notInclude(JSON.stringify(options), "hidden")
  })
})
