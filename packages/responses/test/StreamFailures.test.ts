import { assert, describe, it } from "@effect/vitest"
import {
  BillingUnavailable,
  type ErrorKind,
  InsufficientCredits,
  ModelFailed,
  ModelRateLimited,
  ModelTimedOut,
  ModelUnavailable
} from "@trunkline/errors"
import type { AnswerFailure } from "@trunkline/models"
import { responseFailureFrames } from "@trunkline/responses"
import { Array, Cause, DateTime, Duration, Effect, FiberId, Layer, Logger } from "effect"
import {
  args,
  bodyWith,
  eventsFor,
  eventsOf,
  finish,
  framesFor,
  pieceOf,
  readBody,
  requestId,
  scripted,
  start,
  text,
  textOf,
  total
} from "./Fixtures.js"
import { assertCorrect, outline, outputSummary, terminal } from "./StreamFixtures.js"

const limited = new ModelRateLimited({ message: "Too many", retryAfter: Duration.seconds(2) })

const failures: ReadonlyArray<readonly [AnswerFailure, code: string, type: ErrorKind]> = [
  [new ModelFailed({ message: "It made no sense" }), "model_call_failed", "server_error"],
  [new ModelUnavailable({ message: "It is not there" }), "model_overloaded", "server_error"],
  [new ModelTimedOut({ message: "It took too long" }), "gateway_timeout_error", "server_error"],
  [limited, "model_rate_limit_exceeded_error", "rate_limit_error"],
  [new InsufficientCredits({ message: "No credits" }), "insufficient_quota_error", "insufficient_quota"],
  [new BillingUnavailable(), "billing_service_unavailable_error", "server_error"]
]

describe("the stream of a response that fails", () => {
  it.effect("fails with the failure of the model before the first frame", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(framesFor(bodyWith()))
      assert.deepStrictEqual(failure, limited)
    }).pipe(Effect.provide(scripted({ ending: Cause.fail(limited) }))))

  it.effect("dies with the defect of the model before the first frame", () =>
    Effect.gen(function*() {
      const cause = yield* Effect.sandbox(framesFor(bodyWith())).pipe(Effect.flip)
      assert.isTrue(Cause.isDie(cause))
    }).pipe(Effect.provide(scripted({ ending: Cause.die(new Error("secret")) }))))

  for (const [failure, code, type] of failures) {
    it.effect(`ends with response.failed, ${code} and the output so far`, () =>
      Effect.gen(function*() {
        const events = yield* eventsFor(bodyWith())
        assertCorrect(events)
        assert.deepStrictEqual(outline(events).slice(2), [
          "output_item.added 0",
          "content_part.added 0",
          "output_text.delta 0 Hal",
          "failed"
        ])
        const { completed_at, error, output, status, usage } = terminal(events)
        assert.deepStrictEqual(events.at(-1)?.["error"], error, "clients look for it in the event itself")
        assert.deepStrictEqual(error, { message: failure.message, code, request_id: requestId, type, param: "" })
        assert.deepStrictEqual([status, completed_at, usage], ["failed", null, null])
        assert.deepStrictEqual(output, [{
          type: "message",
          id: `msg_${requestId}_0`,
          status: "incomplete",
          role: "assistant",
          content: [{ type: "output_text", text: "Hal", annotations: [], logprobs: [] }]
        }])
      }).pipe(Effect.provide(scripted({ chunks: [[pieceOf(text("Hal"))]], ending: Cause.fail(failure) }))))
  }

  it.effect("lists the exhausted budgets", () =>
    Effect.gen(function*() {
      const { error } = terminal(yield* eventsFor(bodyWith()))
      assert.deepStrictEqual(error, {
        message: "No budget",
        code: "insufficient_quota_error",
        request_id: requestId,
        type: "insufficient_quota",
        param: "",
        spend_limits: [{ scope: "key", limit: 5, used: 5, resets_at: "1970-01-01T00:00:00.000Z" }]
      })
    }).pipe(Effect.provide(scripted({
      chunks: [[pieceOf(text("Hal"))]],
      ending: Cause.fail(
        new InsufficientCredits({
          message: "No budget",
          spendLimits: [{ scope: "key", limit: 5, used: 5, resets_at: DateTime.unsafeMake(0) }]
        })
      )
    }))))

  it.effect("does not finish a call that broke off, nor send calls held back behind it", () =>
    Effect.gen(function*() {
      const events = yield* eventsFor(bodyWith())
      assertCorrect(events)
      assert.notInclude(outline(events).join(), "done 1")
      assert.deepStrictEqual(outputSummary(terminal(events)), [
        ["message", "completed", null],
        ["function_call", "incomplete", "{\"x"]
      ])
    }).pipe(Effect.provide(scripted({
      chunks: [[text("Hi"), start(0, "a"), start(1, "b"), args(1, "{}"), args(0, "{\"x")].map(pieceOf)],
      ending: Cause.fail(limited)
    }))))

  it.effect("hides the details of a defect, and logs its origin", () =>
    Effect.gen(function*() {
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => {
        logged.push(...Array.ensure(message).map(String))
      })
      const events = yield* Effect.provide(
        eventsFor(bodyWith()),
        Logger.replace(Logger.defaultLogger, logger)
      )
      assertCorrect(events)
      assert.deepStrictEqual(terminal(events).error, {
        message: "Something went wrong on our side. Try again.",
        code: "internal_server_error",
        request_id: requestId,
        type: "server_error",
        param: ""
      })
      assert.lengthOf(logged, 2)
      assert.include(logged.join(), "TypeError")
      assert.notInclude(`${logged.join()}${JSON.stringify(events)}`, "secret")
    }).pipe(Effect.provide(scripted({ chunks: [[pieceOf(text("Hal"))]], ending: Cause.die(new TypeError("secret")) }))))

  it.effect("reports an interruption that did not come from the client", () =>
    Effect.gen(function*() {
      const events = yield* eventsFor(bodyWith())
      assertCorrect(events)
      assert.strictEqual(terminal(events).error?.code, "internal_server_error")
    }).pipe(Effect.provide(Layer.merge(
      scripted({ chunks: [[pieceOf(text("Hal"))]], ending: Cause.interrupt(FiberId.none) }),
      Logger.remove(Logger.defaultLogger)
    ))))

  for (
    const pieces of [[pieceOf(text("Hal"))], [pieceOf(text("Hal")), pieceOf(finish())], [pieceOf(text("Hal")), total()]]
  ) {
    it.effect(`fails for ${pieces.length === 1 ? "a partial" : "an almost complete"} answer`, () =>
      Effect.gen(function*() {
        const events = yield* eventsFor(bodyWith())
        assertCorrect(events)
        assert.strictEqual(events.at(-1)?.["type"], "response.failed")
      }).pipe(Effect.provide(Layer.merge(scripted({ chunks: [pieces] }), Logger.remove(Logger.defaultLogger)))))
  }
})

describe("responseFailureFrames", () => {
  it.effect("are created, in progress and failed", () =>
    Effect.gen(function*() {
      const request = yield* readBody(bodyWith({ instructions: "Be kind" }))
      const events = eventsOf(responseFailureFrames(request, Cause.fail(limited), requestId))
      assertCorrect(events)
      assert.deepStrictEqual(outline(events), ["created", "in_progress", "failed"])
      const { error, id, instructions, output } = terminal(events)
      assert.deepStrictEqual([id, instructions, output], [requestId, "Be kind", []])
      assert.deepStrictEqual(error, {
        message: "Too many",
        code: "model_rate_limit_exceeded_error",
        request_id: requestId,
        type: "rate_limit_error",
        param: ""
      })
    }).pipe(Effect.provide(scripted())))

  it.effect("hide the details of a defect", () =>
    Effect.gen(function*() {
      const request = yield* readBody(bodyWith())
      const frames = textOf(responseFailureFrames(request, Cause.die(new Error("secret")), requestId))
      assert.include(frames, "internal_server_error")
      assert.notInclude(frames, "secret")
    }).pipe(Effect.provide(scripted())))
})
