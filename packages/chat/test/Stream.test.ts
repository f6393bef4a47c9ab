import { assert, describe, it } from "@effect/vitest"
import { chatFailureFrames } from "@trunkline/chat"
import { BillingUnavailable, InsufficientCredits, ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { propertyRuns } from "@trunkline/kernel/testing"
import type { AnswerEvent, AnswerFailure } from "@trunkline/models"
import { Cause, Chunk, Effect, FastCheck, Logger, Ref, Stream, TestClock } from "effect"
import { answering, finish, piece, requestId, text, total } from "./Doubles.js"
import { chunksIn, dataOf, framesOf, messageIn, streamed } from "./Frames.js"

const events = (...events: ReadonlyArray<AnswerEvent>) => Stream.fromIterable(events)

const data = (stream: Stream.Stream<AnswerEvent, AnswerFailure>, fields: object = {}) =>
  Effect.map(Effect.provide(framesOf(fields), answering({ events: stream })), (frames) => frames.map(dataOf))

const chunks = (stream: Stream.Stream<AnswerEvent>, fields: object = {}) =>
  Effect.map(Effect.provide(framesOf(fields), answering({ events: stream })), chunksIn)

const error = (code: string, message: string) =>
  JSON.stringify({ error: { message, code, request_id: requestId, type: "server_error", param: "" } })

const internal = error("internal_server_error", "Something went wrong on our side. Try again.")

describe("a streamed answer", () => {
  it.effect("is its role, its words and its end, each an event of one line", () =>
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

  it.effect("tells its usage in one last event without choices where that is asked for", () =>
    Effect.gen(function*() {
      const told = yield* chunks(events(text("a"), text("b"), finish(), total), {
        stream_options: { include_usage: true }
      })
      assert.deepStrictEqual(told.slice(0, -1).map(({ usage }) => usage), [null, null, null, null])
      assert.deepStrictEqual(told.at(-1)?.choices, [])
      assert.deepStrictEqual(told.at(-1)?.usage, {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        completion_tokens_details: { reasoning_tokens: 2 },
        prompt_tokens_details: null
      })
    }))

  it.effect("does not speak of usage otherwise", () =>
    Effect.gen(function*() {
      const told = yield* chunks(events(text("a"), finish(), total))
      assert.isFalse(told.some((chunk) => "usage" in chunk))
    }))

  it.effect("shows thoughts, words and functions in the order in which they come", () =>
    Effect.gen(function*() {
      const told = yield* chunks(events(
        piece({ _tag: "Reasoning", text: "Hm." }),
        text("Let me look."),
        piece({ _tag: "ToolStart", index: 0, id: "call_1", name: "find" }),
        piece({ _tag: "ToolArgs", index: 0, text: "{\"a\":" }),
        piece({ _tag: "ToolArgs", index: 0, text: "1}" }),
        piece({ _tag: "ToolStart", index: 1, id: "call_2", name: "stop" }),
        piece({ _tag: "Finish", reason: "tool_calls" }),
        total
      ))
      assert.deepStrictEqual(told.flatMap(({ choices }) => choices.map(({ delta }) => delta)), [
        { role: "assistant", content: "" },
        { reasoning_content: "Hm." },
        { content: "Let me look." },
        { tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "find", arguments: "" } }] },
        { tool_calls: [{ index: 0, function: { arguments: "{\"a\":" } }] },
        { tool_calls: [{ index: 0, function: { arguments: "1}" } }] },
        { tool_calls: [{ index: 1, id: "call_2", type: "function", function: { name: "stop", arguments: "" } }] },
        {}
      ])
      assert.deepStrictEqual(messageIn(told, 0).finish, ["tool_calls"])
    }))

  it.effect("shows why the model will not answer", () =>
    Effect.gen(function*() {
      const told = yield* chunks(events(piece({ _tag: "Refusal", text: "No." }), finish(), total))
      assert.deepStrictEqual(told[1]?.choices[0]?.delta, { refusal: "No." })
    }))

  it.effect("says nothing where there is nothing to say", () =>
    Effect.gen(function*() {
      const told = yield* chunks(events(
        text(""),
        piece({ _tag: "Reasoning", text: "" }),
        piece({ _tag: "ToolArgs", index: 0, text: "" }),
        finish(),
        total
      ))
      assert.deepStrictEqual(told.map(({ choices }) => choices[0]?.delta), [{ role: "assistant", content: "" }, {}])
    }))

  it.effect("tells how likely its tokens were with the words that they made", () =>
    Effect.gen(function*() {
      const logprobs = [{ token: "a", logprob: -1, top: [] }]
      const told = yield* chunks(events(piece({ _tag: "Text", text: "a", logprobs }), finish(), total), {
        logprobs: true
      })
      assert.deepStrictEqual(told[1]?.choices[0]?.logprobs, {
        content: [{ token: "a", logprob: -1, bytes: [97], top_logprobs: [] }],
        refusal: null
      })
    }))

  it.effect("may be several, mixed, each with a role and an end of its own", () =>
    Effect.gen(function*() {
      const told = yield* chunks(
        events(text("a", 1), text("x", 0), text("b", 1), finish(1), text("y", 0), finish(0), total),
        { n: 2, stream_options: { include_usage: true } }
      )
      assert.deepStrictEqual(told.flatMap(({ choices }) => choices.map(({ index }) => index)), [1, 1, 0, 0, 1, 1, 0, 0])
      assert.deepInclude(messageIn(told, 0), { roles: ["assistant"], content: "xy", finish: ["stop"] })
      assert.deepInclude(messageIn(told, 1), { roles: ["assistant"], content: "ab", finish: ["stop"] })
      assert.strictEqual(told.filter(({ usage }) => usage !== null).length, 1)
    }))

  it.effect("comes in the chunks in which the model speaks", () =>
    Effect.gen(function*() {
      const spoken = Stream.fromChunks(
        Chunk.fromIterable(Array.from({ length: 10_000 }, (_, at) => text(` ${at}`))),
        Chunk.make(text("!"), finish(), total)
      )
      const sizes = Stream.runCollect(Stream.map(Stream.chunks(streamed()), Chunk.size))
      const got = yield* Effect.provide(sizes, answering({ events: spoken }))
      assert.deepStrictEqual(Chunk.toReadonlyArray(got), [10_001, 2, 1])
    }))

  it.effect("never breaks a character, however its words are cut", () =>
    Effect.gen(function*() {
      const units = FastCheck.array(FastCheck.constantFrom("a", "\ud83d", "\udc4d", "न", "\ufffd", "\"", "\u2028"), {
        maxLength: 12
      })
      const cut = FastCheck.sample(FastCheck.array(units.map((some) => some.join("")), { maxLength: 8 }), {
        numRuns: propertyRuns(100),
        seed: 7
      })
      for (const pieces of cut) {
        const told = yield* chunks(events(
          ...pieces.map((some) => text(some)),
          ...pieces.map((some) => piece({ _tag: "Reasoning", text: some })),
          finish(),
          total
        ))
        const { content, reasoning_content = "" } = messageIn(told, 0)
        const whole = pieces.join("").replace(/\p{Surrogate}/gu, "\ufffd")
        assert.deepStrictEqual([content, reasoning_content], [whole, whole])
        for (const { choices } of told) assert.notMatch(JSON.stringify(choices), /\\ud[89a-f]/)
      }
    }))

  it.effect("stops the model when nobody reads any more", () =>
    Effect.gen(function*() {
      const stopped = yield* Ref.make(false)
      const endless = Stream.ensuring(Stream.repeatValue(text("a")), Ref.set(stopped, true))
      yield* Effect.provide(Stream.runDrain(Stream.take(streamed(), 3)), answering({ events: endless }))
      assert.isTrue(yield* Ref.get(stopped))
    }))
})

const begun = (end: Stream.Stream<AnswerEvent, AnswerFailure>) => Stream.concat(events(text("a")), end)

describe("a streamed answer that fails", () => {
  it.effect("before it has begun fails as a whole", () =>
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

  it.effect("after that ends with the error and the end", () =>
    Effect.gen(function*() {
      const told = yield* data(begun(Stream.fail(new ModelFailed({ message: "The model's answer broke off" }))))
      assert.deepStrictEqual(told.slice(2), [error("model_call_error", "The model's answer broke off"), "[DONE]"])
    }))

  it.effect("does so even after all was said, when it cannot be paid for", () =>
    Effect.gen(function*() {
      const told = yield* data(Stream.concat(begun(events(finish())), Stream.fail(new BillingUnavailable())))
      assert.deepStrictEqual(told.slice(3), [
        error("billing_service_unavailable_error", new BillingUnavailable().message),
        "[DONE]"
      ])
    }))

  it.effect("by a mistake of ours says only that there was one, and logs where it came from", () =>
    Effect.gen(function*() {
      const logged: Array<string> = []
      const logger = Logger.make(({ annotations, message }) => logged.push(JSON.stringify([message, [...annotations]])))
      const told = yield* Effect.provide(
        data(begun(Stream.die(new TypeError("secret")))),
        Logger.replace(Logger.defaultLogger, logger)
      )
      assert.deepStrictEqual(told.slice(2), [internal, "[DONE]"])
      assert.strictEqual(logged.length, 1)
      assert.include(logged[0], "TypeError")
      assert.include(logged[0], requestId)
      assert.notInclude(logged[0], "secret")
    }))

  it("is told by the same frames where its headers were sent before it had begun", () => {
    const told = (cause: Cause.Cause<AnswerFailure>) => chatFailureFrames(cause, requestId).map(dataOf)
    assert.deepStrictEqual(told(Cause.fail(new ModelUnavailable({ message: "Try later" }))), [
      error("model_call_error", "Try later"),
      "[DONE]"
    ])
    assert.deepStrictEqual(told(Cause.die(new Error("secret"))), [internal, "[DONE]"])
    assert.deepStrictEqual(told(Cause.empty), [internal, "[DONE]"])
  })
})
