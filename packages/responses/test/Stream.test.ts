import { assert, describe, it } from "@effect/vitest"
import { Responses } from "@trunkline/responses"
import { Chunk, Effect, Predicate, Stream, TestClock } from "effect"
import {
  args,
  bodyWith,
  eventsOf,
  finish,
  framesFor,
  pieceOf,
  readBody,
  reasoning,
  requestId,
  scripted,
  start,
  text,
  textOf,
  ticket,
  total,
  whole
} from "./Fixtures.js"
import { assertCorrect, outline, streamed } from "./StreamFixtures.js"

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
        [text("a"), text("b")].map(pieceOf),
        [text("c"), text("d")].map(pieceOf),
        [pieceOf(text("e"))],
        [pieceOf(finish()), total()]
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
      const events = yield* streamed([start(0, "a"), text("Wait"), args(0, "{}"), text(" for it"), finish()])
      assertCorrect(events)
      assert.deepStrictEqual(outline(events).filter((line) => line.includes("delta")), [
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
})
