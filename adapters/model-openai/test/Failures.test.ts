import { assert, describe, it } from "@effect/vitest"
import { OpenAiModel } from "@trunkline/model-openai"
import type { ModelFailure } from "@trunkline/models"
import { Duration, Effect, Logger, LogLevel, Redacted } from "effect"
import { modelBefore, untilFailure } from "./fixtures/Asking.js"
import { tcp } from "./fixtures/FakeUpstream.js"
import { event, hello, json, streaming, texts, words } from "./fixtures/Wire.js"

const secret = "sk-secret-0123456789"
const prompt = "my mother's maiden name"

/** An error as hosted servers write it, with things in its message that nobody is to see. */
const error = (others: Readonly<Record<string, unknown>> = {}) => ({
  error: { message: `Rejected '${prompt}' with key ${secret}`, type: null, param: null, code: null, ...others }
})

/** The parts of a failure that are compared. */
const shape = (failure: ModelFailure): unknown => ({
  ..."param" in failure && { param: failure.param },
  ..."retryAfter" in failure && failure.retryAfter !== undefined && { seconds: Duration.toSeconds(failure.retryAfter) },
  ..."unreachable" in failure && { unreachable: failure.unreachable },
  tag: failure._tag,
  message: failure.message
})

const bad = (message: string, param: string | null = null) => ({ tag: "BadRequest", message, param })
const unavailable = (message: string) => ({ tag: "ModelUnavailable", message })
const failed = (message: string) => ({ tag: "ModelFailed", message })
const limited = (seconds: number) => ({
  tag: "ModelRateLimited",
  message: "The model's provider has had enough requests for now",
  seconds
})

const tooLong = bad("The request does not fit into the context of this model")
const refusedContent = bad("The model's provider does not accept this content")
const refused = bad("The model's provider does not accept this request")
const badKey = unavailable("The model's provider refused our key")
const usedUp = unavailable("Our account with the model's provider is used up")
const noModel = unavailable("The model's provider does not have this model")
const overloaded = unavailable("The model is overloaded or out of service. Try again later.")
const timedOut = { tag: "ModelTimedOut", message: "The model's provider did not answer in time" }
const broken = failed("The model's provider failed. Try again.")
const nonsense = failed("The model gave an answer that makes no sense. Try again.")

const statuses: ReadonlyArray<readonly [status: number, body: unknown, expected: unknown]> = [
  [400, error({ code: "context_length_exceeded" }), tooLong],
  [400, { object: "error", message: "This model's maximum context length is 4096 tokens", code: 400 }, tooLong],
  [400, { error: { code: 400, message: "the request exceeds", type: "exceed_context_size_error" } }, tooLong],
  [
    422,
    { error: "Input validation error: `inputs` must have less than 1024 tokens", error_type: "validation" },
    tooLong
  ],
  [500, error({ code: "context_length_exceeded" }), tooLong],
  [400, error({ code: "content_policy_violation" }), refusedContent],
  [400, error({ code: "content_filter" }), refusedContent],
  [403, error({ message: "Your input was flagged by moderation" }), refusedContent],
  [400, error(), refused],
  [400, "<html>", refused],
  [400, error({ param: secret }), refused],
  [
    400,
    error({ param: "messages[3].content" }),
    bad("The model's provider does not accept this request: it does not accept its messages", "messages")
  ],
  [422, { detail: [{ loc: ["body", prompt], input: secret }] }, refused],
  [400, error({ code: "invalid_api_key" }), badKey],
  [401, error({ code: "invalid_api_key" }), badKey],
  [401, "", badKey],
  [403, error(), badKey],
  [402, error(), usedUp],
  [429, error({ code: "insufficient_quota", type: "insufficient_quota" }), usedUp],
  [404, error({ code: "model_not_found" }), noModel],
  [404, { error: "model 'x' not found" }, noModel],
  [400, error({ code: "model_not_found" }), noModel],
  [408, error(), timedOut],
  [504, "<html>504</html>", timedOut],
  [524, "", timedOut],
  [413, error(), bad("The request is too large for the model's provider")],
  [429, error({ message: "Request too large: too many tokens per minute" }), limited(1)],
  [500, error({ message: "safety" }), broken],
  [502, "<html>Bad gateway</html>", broken],
  [418, "", broken],
  [503, error(), overloaded],
  [529, error({ type: "overloaded_error" }), overloaded],
  [521, "", overloaded],
  [302, "", broken]
]

const frames: ReadonlyArray<readonly [frame: unknown, expected: unknown]> = [
  [error(), broken],
  [error({ code: 429 }), limited(1)],
  [error({ code: "503" }), overloaded],
  [error({ code: "rate_limit_exceeded" }), limited(1)],
  [error({ type: "overloaded_error" }), overloaded],
  [error({ type: "timeout_error" }), timedOut],
  [error({ type: "invalid_request_error" }), refused],
  [error({ type: "invalid_request_error", code: "context_length_exceeded" }), tooLong],
  [error({ type: "server_error" }), broken],
  [{ error: secret, error_type: "generation" }, broken],
  [{ type: "error", error: { type: "authentication_error", message: secret } }, badKey],
  [{ object: "error", message: secret, type: "InternalServerError", code: 500 }, broken],
  [[{ error: { code: 503, message: secret, status: "UNAVAILABLE" } }], overloaded]
]

const assertSafe = (text: string) => {
  for (const hidden of [secret, prompt]) assert.notInclude(text, hidden)
}

const ask = { apiKey: Redacted.make(secret), headers: { "api-key": secret } }
const longRequest = { ...hello, messages: [{ role: "user" as const, content: prompt }] }

describe("a failure of an upstream", () => {
  it.scopedLive("before the response is classified by its status and code, and repeats no content", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([], ask)
      for (const [status, body, expected] of statuses) {
        const headers = { location: `${upstream.baseUrl}/elsewhere` }
        upstream.answer(json(body, status, headers))
        for (
          const failure of [
            yield* Effect.flip(model.generate(longRequest)),
            (yield* untilFailure(model, longRequest)).failure
          ]
        ) {
          assert.deepStrictEqual(shape(failure), expected, `${status} ${JSON.stringify(body)}`)
          assertSafe(JSON.stringify(failure))
        }
      }
      assert.lengthOf(upstream.requests, 2 * statuses.length, "nothing was followed, nothing asked again")
    }))

  it.scopedLive("inside a stream is classified by its code, after the earlier pieces", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([])
      for (const [frame, expected] of frames) {
        upstream.answer(streaming(words("Hi"), frame, words("!")))
        const { failure, pieces } = yield* untilFailure(model)
        assert.deepStrictEqual(shape(failure), expected, JSON.stringify(frame))
        assert.deepStrictEqual(pieces, texts("Hi"))
        assertSafe(JSON.stringify(failure))
        upstream.answer(json(frame))
        assert.deepStrictEqual(shape(yield* Effect.flip(model.generate(hello))), expected, JSON.stringify(frame))
      }
    }))

  it.scopedLive("may be an error event, or an error field in place of data", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([])
      for (
        const text of [
          `event: error\n${event(error({ code: 429 }))}`,
          `event: error\n${event({ code: 429, message: secret })}`,
          `error: ${JSON.stringify({ code: 429, message: secret })}\n\n`
        ]
      ) {
        upstream.answer([{ write: event(words("Hi")) }, { write: text }, "hang"])
        assert.deepStrictEqual(shape((yield* untilFailure(model)).failure), limited(1))
      }
      upstream.answer([{ write: `event: error\n${event(secret)}` }, "hang"])
      assert.deepStrictEqual(shape((yield* untilFailure(model)).failure), broken)
    }))

  it.scopedLive("is reported although its body never ends, is huge, or is truncated", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([])
      const body = JSON.stringify(error({ code: "context_length_exceeded" }))
      for (const rest of [["hang"], [{ pause: 50 }, "cut"], [{ write: "x".repeat(1024 * 1024) }, "hang"]] as const) {
        upstream.answer([{ status: 400 }, { write: body }, ...rest])
        const failure = yield* Effect.flip(model.generate(hello))
        assert.deepStrictEqual(shape(failure), tooLong)
      }
      yield* Effect.promise(async () => upstream.requests.at(-1)?.closed)
    }))

  it.scopedLive("has the Retry-After of the upstream", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore([])
      upstream.answer(json(error(), 429, { "retry-after": "7" }))
      assert.deepStrictEqual(shape(yield* Effect.flip(model.generate(hello))), limited(7))
    }))

  it.scopedLive("is logged briefly at debug level", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const { model } = yield* modelBefore(json(error(), 429), ask)
      yield* Effect.flip(model.generate(longRequest)).pipe(
        Effect.zipRight(untilFailure(model, longRequest)),
        Logger.withMinimumLogLevel(LogLevel.Debug),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      assertSafe(lines.join())
      assert.deepStrictEqual(
        lines.filter((line) => line.startsWith("Model")),
        Array.from({ length: 2 }, () => "ModelRateLimited: status 429, as 429")
      )
    }))
})

describe("a failure of the connection", () => {
  const failureOf = (baseUrl: string) =>
    Effect.gen(function*() {
      const model = yield* OpenAiModel.make({ baseUrl, ...ask })
      const failure = yield* Effect.flip(model.generate(longRequest))
      assert.deepStrictEqual(shape((yield* untilFailure(model, longRequest)).failure), shape(failure))
      assertSafe(JSON.stringify(failure))
      return shape(failure)
    })

  const closed = unavailable("The model cannot be reached: the connection was closed")
  const unreachable = (reason: string) => ({
    ...unavailable(`The model cannot be reached: ${reason}`),
    unreachable: true
  })

  it.scopedLive("is reported as an unavailable model", () =>
    Effect.gen(function*() {
      const free = yield* Effect.scoped(tcp(() => {}))
      assert.deepStrictEqual(yield* failureOf(`http://127.0.0.1:${free}`), unreachable("the connection was refused"))
      assert.deepStrictEqual(
        yield* failureOf("http://no-such-host.invalid/v1"),
        unreachable("its host name does not resolve")
      )
      const plain = yield* tcp((socket) =>
        void socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))
      )
      assert.deepStrictEqual(
        yield* failureOf(`https://127.0.0.1:${plain}`),
        unreachable("no secure connection could be agreed")
      )
    }))

  it.scopedLive("that closes it before the response may be caused by the request", () =>
    Effect.gen(function*() {
      const reset = yield* tcp((socket) => void socket.once("data", () => socket.resetAndDestroy()))
      assert.deepStrictEqual(yield* failureOf(`http://127.0.0.1:${reset}`), closed)
      const ended = yield* tcp((socket) => void socket.once("data", () => socket.end()))
      assert.deepStrictEqual(yield* failureOf(`http://127.0.0.1:${ended}`), closed)
    }))

  it.scopedLive("in the middle of a response is reported as truncation", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore([
        { status: 200, headers: { "content-type": "application/json" } },
        { write: "{\"choices\":" },
        { pause: 20 },
        "cut"
      ])
      assert.deepStrictEqual(
        shape(yield* Effect.flip(model.generate(hello))),
        failed("The model's answer broke off. Try again.")
      )
    }))

  it.scopedLive("with a server that does not speak HTTP is reported as malformed", () =>
    Effect.gen(function*() {
      const port = yield* tcp((socket) => void socket.once("data", () => socket.end("220 mail.example ESMTP\r\n")))
      assert.deepStrictEqual(yield* failureOf(`http://127.0.0.1:${port}`), nonsense)
    }))
})
