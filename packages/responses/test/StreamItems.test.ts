import { assert, describe, it } from "@effect/vitest"
import { Answers } from "@trunkline/models"
import { Responses } from "@trunkline/responses"
import { type Array, Deferred, Effect, Fiber, Layer, Logger, Stream } from "effect"
import {
  args,
  bodyWith,
  finish,
  pieceOf,
  readBody,
  reasoning,
  refusal,
  scripted,
  start,
  text,
  textOf,
  ticket,
  usage,
  whole
} from "./Fixtures.js"
import { assertCorrect, outline, outputSummary, streamed, terminal } from "./StreamFixtures.js"

describe("the items and the end of a response stream", () => {
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
          Stream.make(pieceOf(text("Hi"))).pipe(
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
