import { assert, describe, it } from "@effect/vitest"
import { chatFailureFrames } from "@trunkline/chat"
import { BillingUnavailable, InsufficientCredits, ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { propertyRuns } from "@trunkline/kernel/testing"
import type { AnswerEvent, AnswerFailure } from "@trunkline/models"
import { Cause, Chunk, Effect, FastCheck, Logger, Ref, Stream, TestClock } from "effect"
import { chatWith, finish, piece, requestId, text, total } from "./Doubles.js"
import { chunksIn, dataOf, framesOf, messageIn, streamed } from "./Frames.js"

const events = (...events: ReadonlyArray<AnswerEvent>) => Stream.fromIterable(events)

const data = (stream: Stream.Stream<AnswerEvent, AnswerFailure>, fields: object = {}) =>
  Effect.map(Effect.provide(framesOf(fields), chatWith({ events: stream })), (frames) => frames.map(dataOf))

const chunks = (stream: Stream.Stream<AnswerEvent>, fields: object = {}) =>
  Effect.map(Effect.provide(framesOf(fields), chatWith({ events: stream })), chunksIn)

const error = (code: string, message: string) =>
  JSON.stringify({ error: { message, code, request_id: requestId, type: "server_error", param: "" } })

const internal = error("internal_server_error", "Something went wrong on our side. Try again.")

describe("Chat.stream", () => {
  it.effect("sends the role, the text and the end, each as an event of one line", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_767_225_600_999)
      const before =
        `{"id":"${requestId}","object":"chat.completion.chunk","created":1767225600,"model":"core-105b","choices":[{"index":0,"delta":`
      const after = (finish: string) => `,"logprobs":null,"finish_reason":${finish}}]}`
      assert.deepStrictEqual(yield* data(events(text("Hi \"you\"\n"), finish(), total)), [
        `${before}{"role":"assistant","content":""}${after("null")}`,
        `${before}{"content":"Hi \\"you\\"\\n"}${after("null")}`,
        `${before}{}${after("\"stop\"")}`,
        "[DONE]"
      ])
    }))

  it.effect("reports usage in a last event without choices when requested", () =>
    Effect.gen(function*() {
      const frames = yield* chunks(events(text("a"), text("b"), finish(), total), {
        stream_options: { include_usage: true }
      })
      assert.deepStrictEqual(frames.slice(0, -1).map(({ usage }) => usage), [null, null, null, null])
      assert.deepStrictEqual(frames.at(-1)?.choices, [])
      assert.deepStrictEqual(frames.at(-1)?.usage, {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        completion_tokens_details: { reasoning_tokens: 2 },
        prompt_tokens_details: null
      })
    }))

  it.effect("omits usage otherwise", () =>
    Effect.gen(function*() {
      const frames = yield* chunks(events(text("a"), finish(), total))
      assert.isFalse(frames.some((chunk) => "usage" in chunk))
    }))

  it.effect("sends reasoning, text and function calls in the order of the model", () =>
    Effect.gen(function*() {
      const frames = yield* chunks(events(
        piece({ _tag: "Reasoning", text: "Hm." }),
        text("Let me look."),
        piece({ _tag: "ToolStart", index: 0, id: "call_1", name: "find" }),
        piece({ _tag: "ToolArgs", index: 0, text: "{\"a\":" }),
        piece({ _tag: "ToolArgs", index: 0, text: "1}" }),
        piece({ _tag: "ToolStart", index: 1, id: "call_2", name: "stop" }),
        piece({ _tag: "Finish", reason: "tool_calls" }),
        total
      ))
      assert.deepStrictEqual(frames.flatMap(({ choices }) => choices.map(({ delta }) => delta)), [
        { role: "assistant", content: "" },
        { reasoning_content: "Hm." },
        { content: "Let me look." },
        { tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "find", arguments: "" } }] },
        { tool_calls: [{ index: 0, function: { arguments: "{\"a\":" } }] },
        { tool_calls: [{ index: 0, function: { arguments: "1}" } }] },
        { tool_calls: [{ index: 1, id: "call_2", type: "function", function: { name: "stop", arguments: "" } }] },
        {}
      ])
      assert.deepStrictEqual(messageIn(frames, 0).finish, ["tool_calls"])
    }))

  it.effect("sends refusals", () =>
    Effect.gen(function*() {
      const frames = yield* chunks(events(piece({ _tag: "Refusal", text: "No." }), finish(), total))
      assert.deepStrictEqual(frames[1]?.choices[0]?.delta, { refusal: "No." })
    }))

  it.effect("sends nothing for empty deltas", () =>
    Effect.gen(function*() {
      const frames = yield* chunks(events(
        text(""),
        piece({ _tag: "Reasoning", text: "" }),
        piece({ _tag: "ToolArgs", index: 0, text: "" }),
        finish(),
        total
      ))
      assert.deepStrictEqual(frames.map(({ choices }) => choices[0]?.delta), [{ role: "assistant", content: "" }, {}])
    }))

  it.effect("sends log probabilities together with their text", () =>
    Effect.gen(function*() {
      const logprobs = [{ token: "a", logprob: -1, top: [] }]
      const frames = yield* chunks(events(piece({ _tag: "Text", text: "a", logprobs }), finish(), total), {
        logprobs: true
      })
      assert.deepStrictEqual(frames[1]?.choices[0]?.logprobs, {
        content: [{ token: "a", logprob: -1, bytes: [97], top_logprobs: [] }],
        refusal: null
      })
    }))

  it.effect("interleaves several choices, each with its own role and end", () =>
    Effect.gen(function*() {
      const frames = yield* chunks(
        events(text("a", 1), text("x", 0), text("b", 1), finish(1), text("y", 0), finish(0), total),
        { n: 2, stream_options: { include_usage: true } }
      )
      assert.deepStrictEqual(frames.flatMap(({ choices }) => choices.map(({ index }) => index)), [
        1,
        1,
        0,
        0,
        1,
        1,
        0,
        0
      ])
      assert.deepInclude(messageIn(frames, 0), { roles: ["assistant"], content: "xy", finish: ["stop"] })
      assert.deepInclude(messageIn(frames, 1), { roles: ["assistant"], content: "ab", finish: ["stop"] })
      assert.strictEqual(frames.filter(({ usage }) => usage !== null).length, 1)
    }))

  it.effect("keeps the chunks of the model", () =>
    Effect.gen(function*() {
      const spoken = Stream.fromChunks(
        Chunk.fromIterable(Array.from({ length: 10_000 }, (_, at) => text(` ${at}`))),
        Chunk.make(text("!"), finish(), total)
      )
      const sizes = Stream.runCollect(Stream.map(Stream.chunks(streamed()), Chunk.size))
      const got = yield* Effect.provide(sizes, chatWith({ events: spoken }))
      assert.deepStrictEqual(Chunk.toReadonlyArray(got), [10_001, 2, 1])
    }))

  it.effect("never splits a character, wherever the text is cut", () =>
    Effect.gen(function*() {
      const units = FastCheck.array(FastCheck.constantFrom("a", "\ud83d", "\udc4d", "न", "\ufffd", "\"", "\u2028"), {
        maxLength: 12
      })
      const cut = FastCheck.sample(FastCheck.array(units.map((some) => some.join("")), { maxLength: 8 }), {
        numRuns: propertyRuns(100),
        seed: 7
      })
      for (const pieces of cut) {
        const frames = yield* chunks(events(
          ...pieces.map((some) => text(some)),
          ...pieces.map((some) => piece({ _tag: "Reasoning", text: some })),
          finish(),
          total
        ))
        const { content, reasoning_content = "" } = messageIn(frames, 0)
        const whole = pieces.join("").replace(/\p{Surrogate}/gu, "\ufffd")
        assert.deepStrictEqual([content, reasoning_content], [whole, whole])
        for (const { choices } of frames) assert.notMatch(JSON.stringify(choices), /\\ud[89a-f]/)
      }
    }))

  it.effect("stops the model when the client stops reading", () =>
    Effect.gen(function*() {
      const stopped = yield* Ref.make(false)
      const endless = Stream.ensuring(Stream.repeatValue(text("a")), Ref.set(stopped, true))
      yield* Effect.provide(Stream.runDrain(Stream.take(streamed(), 3)), chatWith({ events: endless }))
      assert.isTrue(yield* Ref.get(stopped))
    }))
})

const eventsThen = (end: Stream.Stream<AnswerEvent, AnswerFailure>) => Stream.concat(events(text("a")), end)

describe("a failure of Chat.stream", () => {
  it.effect("fails the stream before its first frame", () =>
    Effect.gen(function*() {
      for (
        const failure of [
          new ModelUnavailable({ message: "m" }),
          new InsufficientCredits({ message: "Out of credits" })
        ]
      ) {
        assert.strictEqual(yield* Effect.flip(data(Stream.fail(failure))), failure)
      }
      const cause = yield* Effect.cause(data(Stream.dieMessage("secret")))
      assert.isTrue(Cause.isDie(cause))
    }))

  it.effect("is sent as an event before [DONE] after the first frame", () =>
    Effect.gen(function*() {
      const frames = yield* data(eventsThen(Stream.fail(new ModelFailed({ message: "The model's answer broke off" }))))
      assert.deepStrictEqual(frames.slice(2), [error("model_call_error", "The model's answer broke off"), "[DONE]"])
    }))

  it.effect("is sent even after the last text, when billing fails", () =>
    Effect.gen(function*() {
      const frames = yield* data(Stream.concat(eventsThen(events(finish())), Stream.fail(new BillingUnavailable())))
      assert.deepStrictEqual(frames.slice(3), [
        error("billing_service_unavailable_error", new BillingUnavailable().message),
        "[DONE]"
      ])
    }))

  it.effect("hides the details of a defect, and logs its origin", () =>
    Effect.gen(function*() {
      const logged: Array<string> = []
      const logger = Logger.make(({ annotations, message }) => logged.push(JSON.stringify([message, [...annotations]])))
      const frames = yield* Effect.provide(
        data(eventsThen(Stream.die(new TypeError("secret")))),
        Logger.replace(Logger.defaultLogger, logger)
      )
      assert.deepStrictEqual(frames.slice(2), [internal, "[DONE]"])
      assert.strictEqual(logged.length, 1)
      assert.include(logged[0], "TypeError")
      assert.include(logged[0], requestId)
      assert.notInclude(logged[0], "secret")
    }))

  it("has frames for streams whose headers were already sent", () => {
    const framesOf = (cause: Cause.Cause<AnswerFailure>) => chatFailureFrames(cause, requestId).map(dataOf)
    assert.deepStrictEqual(framesOf(Cause.fail(new ModelUnavailable({ message: "Try later" }))), [
      error("model_call_error", "Try later"),
      "[DONE]"
    ])
    assert.deepStrictEqual(framesOf(Cause.die(new Error("secret"))), [internal, "[DONE]"])
    assert.deepStrictEqual(framesOf(Cause.empty), [internal, "[DONE]"])
  })
})
