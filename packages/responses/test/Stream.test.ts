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
import { type AnswerFailure, Answers } from "@trunkline/models"
import { responseFailureFrames, ResponseResource, Responses } from "@trunkline/responses"
import {
  Array,
  Cause,
  Chunk,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Fiber,
  FiberId,
  Layer,
  Logger,
  Predicate,
  Schema,
  Stream,
  TestClock
} from "effect"
import type { Delta } from "../src/output/Output.js"
import { checkEvents } from "../src/testing.js"
import {
  args,
  bodyWith,
  eventsFor,
  eventsOf,
  finish,
  framesFor,
  readBody,
  reasoning,
  refusal,
  requestId,
  scripted,
  sent,
  start,
  text,
  textOf,
  ticket,
  total,
  usage,
  whole
} from "./fixtures.js"

/** The types of events without their prefix, with their output index and delta. */
const outline = (events: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  events.map(({ delta, output_index, type }) =>
    [String(type).replace("response.", ""), output_index, delta].filter((part) => part !== undefined).join(" ")
  )

const streamed = (pieces: ReadonlyArray<Delta>, more: object = {}) =>
  Effect.provide(eventsFor(bodyWith(more)), scripted({ chunks: whole(pieces) }))

const assertCorrect = (events: ReadonlyArray<unknown>) => assert.deepStrictEqual(checkEvents(events), [])

/** The response that a stream ends with. */
const terminal = (events: ReadonlyArray<Readonly<Record<string, unknown>>>): ResponseResource =>
  Schema.decodeUnknownSync(ResponseResource)(events.at(-1)?.["response"])

/** Types, statuses and arguments of the output items. */
const outputSummary = ({ output }: ResponseResource) =>
  output.map((item) => [item.type, item.status, item.type === "function_call" ? item.arguments : null])

describe("the stream of a response", () => {
  it.effect("sends a text delta by delta", () =>
    Effect.gen(function*() {
      const events = yield* streamed([text("Hel"), text("lo"), finish()])
      assertCorrect(events)
      assert.deepStrictEqual(outline(events), [
        "created",
        "in_progress",
        "output_item.added 0",
        "content_part.added 0",
        "output_text.delta 0 Hel",
        "output_text.delta 0 lo",
        "output_text.done 0",
        "content_part.done 0",
        "output_item.done 0",
        "completed"
      ])
    }))

  it.effect("sends reasoning, then text, then calls", () =>
    Effect.gen(function*() {
      const events = yield* streamed([
        reasoning("Hm"),
        text("Yes"),
        start(0, "look_up"),
        args(0, "{\"q\":"),
        args(0, "1}"),
        finish("tool_calls")
      ])
      assertCorrect(events)
      assert.deepStrictEqual(outline(events).slice(2, -1), [
        "output_item.added 0",
        "reasoning_summary_part.added 0",
        "reasoning_summary_text.delta 0 Hm",
        "reasoning_summary_text.done 0",
        "reasoning_summary_part.done 0",
        "output_item.done 0",
        "output_item.added 1",
        "content_part.added 1",
        "output_text.delta 1 Yes",
        "output_text.done 1",
        "content_part.done 1",
        "output_item.done 1",
        "output_item.added 2",
        "function_call_arguments.delta 2 {\"q\":",
        "function_call_arguments.delta 2 1}",
        "function_call_arguments.done 2",
        "output_item.done 2"
      ])
    }))

  it.effect("has all fields in each of its events", () =>
    Effect.gen(function*() {
      const events = yield* streamed([text("Hi"), start(0, "look_up"), args(0, "{}"), finish("tool_calls")])
      const inItem = { item_id: `msg_${requestId}_0`, output_index: 0 }
      const part = { type: "output_text", text: "", annotations: [], logprobs: [] }
      const message = {
        type: "message",
        id: `msg_${requestId}_0`,
        status: "completed",
        role: "assistant",
        content: [{ ...part, text: "Hi" }]
      }
      const call = {
        type: "function_call",
        id: `fc_${requestId}_1`,
        status: "completed",
        call_id: "call_0",
        name: "look_up",
        arguments: "{}"
      }
      const inCall = { item_id: `fc_${requestId}_1`, output_index: 1 }
      assert.deepStrictEqual(
        events.slice(2, -1),
        [
          {
            type: "response.output_item.added",
            output_index: 0,
            item: { ...message, status: "in_progress", content: [] }
          },
          { type: "response.content_part.added", ...inItem, content_index: 0, part },
          { type: "response.output_text.delta", ...inItem, content_index: 0, logprobs: [], delta: "Hi" },
          { type: "response.output_text.done", ...inItem, content_index: 0, text: "Hi", logprobs: [] },
          { type: "response.content_part.done", ...inItem, content_index: 0, part: { ...part, text: "Hi" } },
          { type: "response.output_item.done", output_index: 0, item: message },
          {
            type: "response.output_item.added",
            output_index: 1,
            item: { ...call, status: "in_progress", arguments: "" }
          },
          { type: "response.function_call_arguments.delta", ...inCall, delta: "{}" },
          { type: "response.function_call_arguments.done", ...inCall, name: "look_up", arguments: "{}" },
          { type: "response.output_item.done", output_index: 1, item: call }
        ].map((event, index) => ({ ...event, sequence_number: index + 2 }))
      )
    }))

  it.effect("carries the whole response in its first and last events", () =>
    Effect.gen(function*() {
      const body = bodyWith({ instructions: "Be kind", metadata: { a: "1" } })
      const responses = yield* Responses
      const events = eventsOf(yield* framesFor(body))
      const response = yield* responses.create(yield* readBody(body), ticket)
      assert.deepStrictEqual<unknown>(events.at(-1)?.["response"], response)
      const nothing = { status: "in_progress", output: [], completed_at: null, usage: null }
      for (const event of events.slice(0, 2)) {
        assert.deepStrictEqual<unknown>(event["response"], { ...response, ...nothing })
      }
    }).pipe(Effect.provide(scripted({ chunks: whole([text("Hello there"), finish()]) }))))

  it.effect("has creation and completion times to the millisecond", () =>
    Effect.gen(function*() {
      const responses = yield* Responses
      yield* TestClock.setTime(1_767_225_600_250)
      const request = yield* readBody(bodyWith())
      yield* TestClock.setTime(1_767_225_602_999)
      const events = eventsOf(yield* Stream.runCollect(responses.stream(request, ticket)))
      const shown = events.flatMap(({ response }) => Predicate.isReadonlyRecord(response) ? [response] : [])
      assert.deepStrictEqual(shown.map(({ completed_at, created_at }) => [created_at, completed_at]), [
        [1_767_225_600.25, null],
        [1_767_225_600.25, null],
        [1_767_225_600.25, 1_767_225_602.999]
      ])
      assertCorrect(events)
    }).pipe(Effect.provide(scripted({ chunks: whole([text("Hello there"), finish()]) }))))

  it.effect("names events after their types, and ends without [DONE]", () =>
    Effect.gen(function*() {
      const frames = yield* framesFor(bodyWith())
      for (const frame of frames) {
        assert.match(textOf([frame]), /^event: (response\.[a-z_.]+)\ndata: \{"type":"\1",[^\n]*\}\n\n$/)
      }
      assert.notInclude(textOf(frames), "[DONE]")
    }).pipe(Effect.provide(scripted({ chunks: whole([text("a\nb\u2028\n\nc"), finish()]) }))))

  it.effect("keeps the chunks of the model", () =>
    Effect.gen(function*() {
      const responses = yield* Responses
      const sizes = yield* responses.stream(yield* readBody(bodyWith()), ticket).pipe(
        Stream.chunks,
        Stream.map(Chunk.size),
        Stream.filter((size) => size > 0),
        Stream.runCollect
      )
      assert.deepStrictEqual(Chunk.toReadonlyArray(sizes), [6, 2, 1, 3, 1])
    }).pipe(Effect.provide(scripted({
      chunks: [
        [text("a"), text("b")].map(sent),
        [text("c"), text("d")].map(sent),
        [sent(text("e"))],
        [sent(finish()), total()]
      ]
    }))))

  it.effect("sends interleaved calls one after the other", () =>
    Effect.gen(function*() {
      const events = yield* streamed([
        start(0, "a"),
        args(0, "{\"x\":"),
        start(1, "b"),
        args(1, "{\"y\":"),
        args(0, "1}"),
        args(1, "2}"),
        start(2, "c"),
        finish("tool_calls")
      ])
      assertCorrect(events)
      assert.deepStrictEqual(outline(events).slice(2, -1), [
        "output_item.added 0",
        "function_call_arguments.delta 0 {\"x\":",
        "function_call_arguments.delta 0 1}",
        "function_call_arguments.done 0",
        "output_item.done 0",
        "output_item.added 1",
        "function_call_arguments.delta 1 {\"y\":",
        "function_call_arguments.delta 1 2}",
        "function_call_arguments.done 1",
        "output_item.done 1",
        "output_item.added 2",
        "function_call_arguments.delta 2 {}",
        "function_call_arguments.done 2",
        "output_item.done 2"
      ])
    }))

  it.effect("holds items after a call back until its arguments are complete or the answer is", () =>
    Effect.gen(function*() {
      const held = yield* streamed([start(0, "a"), text("Wait"), args(0, "{}"), text(" for it"), finish()])
      assertCorrect(held)
      assert.deepStrictEqual(outline(held).filter((line) => line.includes("delta")), [
        "function_call_arguments.delta 0 {}",
        "output_text.delta 1 Wait",
        "output_text.delta 1  for it"
      ])
      const never = yield* streamed([start(0, "a"), args(0, "{"), text("Wait"), finish()])
      assertCorrect(never)
      assert.deepStrictEqual(outline(never).filter((line) => line.includes("delta")), [
        "function_call_arguments.delta 0 {",
        "output_text.delta 1 Wait"
      ])
    }))

  it.effect("sends reasoning of model-g first, even when the model reveals none", () =>
    Effect.gen(function*() {
      const events = yield* streamed([text("Yes"), finish()], { model: "model-g" })
      assertCorrect(events)
      assert.deepStrictEqual(outline(events).slice(2, 7), [
        "output_item.added 0",
        "reasoning_summary_part.added 0",
        "reasoning_summary_text.done 0",
        "reasoning_summary_part.done 0",
        "output_item.done 0"
      ])
    }))

  it.effect("sends no reasoning of model-g beside JSON", () =>
    Effect.gen(function*() {
      const events = yield* streamed([reasoning("Hm"), text("{}"), finish()], {
        model: "model-g",
        text: { format: { type: "json_object" } }
      })
      assertCorrect(events)
      assert.deepStrictEqual(outline(events).filter((line) => line.includes("reasoning")), [])
    }))

  it.effect("sends refusals as parts beside text", () =>
    Effect.gen(function*() {
      const events = yield* streamed([text("Well. "), refusal("I will"), refusal(" not."), finish()])
      assertCorrect(events)
      assert.deepStrictEqual(outline(events).slice(4, -1), [
        "output_text.delta 0 Well. ",
        "output_text.done 0",
        "content_part.done 0",
        "content_part.added 0",
        "refusal.delta 0 I will",
        "refusal.delta 0  not.",
        "refusal.done 0",
        "content_part.done 0",
        "output_item.done 0"
      ])
    }))

  it.effect("ends incomplete with the truncated item", () =>
    Effect.gen(function*() {
      const events = yield* streamed([text("Yes"), start(0, "a"), args(0, "{\"x"), start(1, "b"), finish("length")])
      assertCorrect(events)
      assert.strictEqual(events.at(-1)?.["type"], "response.incomplete")
      const response = terminal(events)
      assert.deepStrictEqual(response.incomplete_details, { reason: "max_output_tokens" })
      assert.deepStrictEqual(outputSummary(response), [
        ["message", "completed", null],
        ["function_call", "incomplete", "{\"x"]
      ])
    }))

  it.effect("ends incomplete at max_output_tokens, even when the model reports a stop", () =>
    Effect.gen(function*() {
      const events = yield* streamed([text("Yes"), finish()], { max_output_tokens: usage.outputTokens })
      assertCorrect(events)
      assert.strictEqual(events.at(-1)?.["type"], "response.incomplete")
      const response = terminal(events)
      assert.deepStrictEqual(response.incomplete_details, { reason: "max_output_tokens" })
      assert.deepStrictEqual(outputSummary(response), [["message", "completed", null]])
    }))

  it.effect("starts afresh on every run", () =>
    Effect.gen(function*() {
      const responses = yield* Responses
      const stream = responses.stream(yield* readBody(bodyWith()), ticket)
      const first = textOf(yield* Stream.runCollect(stream))
      assert.strictEqual(textOf(yield* Stream.runCollect(stream)), first)
    }).pipe(Effect.provide(scripted({ chunks: whole([text("Hi"), finish()]) }))))

  it.effect("stops the model when the client stops reading, without a failure", () =>
    Effect.gen(function*() {
      const stopped = yield* Deferred.make<void>()
      const logged: Array<unknown> = []
      const logger = Logger.make(({ message }) => logged.push(message))
      const answers = Layer.succeed(Answers, {
        generate: () => Effect.never,
        stream: () =>
          Stream.make(sent(text("Hi"))).pipe(
            Stream.concat(Stream.never),
            Stream.ensuring(Deferred.succeed(stopped, undefined))
          )
      })
      yield* Effect.gen(function*() {
        const responses = yield* Responses
        const shown = yield* Deferred.make<void>()
        const reading = yield* responses.stream(yield* readBody(bodyWith()), ticket).pipe(
          Stream.runForEach(() => Deferred.succeed(shown, undefined)),
          Effect.fork
        )
        yield* Deferred.await(shown)
        yield* Fiber.interrupt(reading)
        assert.isTrue(yield* Deferred.isDone(stopped))
        assert.deepStrictEqual(logged, [])
      }).pipe(Effect.provide(
        Layer.merge(Layer.provide(Responses.layer, answers), Logger.replace(Logger.defaultLogger, logger))
      ))
    }))
})

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
      }).pipe(Effect.provide(scripted({ chunks: [[sent(text("Hal"))]], ending: Cause.fail(failure) }))))
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
      chunks: [[sent(text("Hal"))]],
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
      chunks: [[text("Hi"), start(0, "a"), start(1, "b"), args(1, "{}"), args(0, "{\"x")].map(sent)],
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
    }).pipe(Effect.provide(scripted({ chunks: [[sent(text("Hal"))]], ending: Cause.die(new TypeError("secret")) }))))

  it.effect("reports an interruption that did not come from the client", () =>
    Effect.gen(function*() {
      const events = yield* eventsFor(bodyWith())
      assertCorrect(events)
      assert.strictEqual(terminal(events).error?.code, "internal_server_error")
    }).pipe(Effect.provide(Layer.merge(
      scripted({ chunks: [[sent(text("Hal"))]], ending: Cause.interrupt(FiberId.none) }),
      Logger.remove(Logger.defaultLogger)
    ))))

  for (const pieces of [[sent(text("Hal"))], [sent(text("Hal")), sent(finish())], [sent(text("Hal")), total()]]) {
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
