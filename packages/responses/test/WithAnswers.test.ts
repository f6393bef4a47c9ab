import { assert, describe, it } from "@effect/vitest"
import { Answers, freeMeter, LanguageModel, type Meter, TokenCounter } from "@trunkline/models"
import { type OutputItem, Responses } from "@trunkline/responses"
import { always } from "@trunkline/scripted-model"
import { Cause, Effect, Exit, Layer, Stream } from "effect"
import { checkEvents } from "../src/testing.js"
import { bodyWith, eventsFor, eventsOf, readBody, requestId, ticket, weather, withScriptedModel } from "./Fixtures.js"

const respond = (body: unknown, meter: Meter = freeMeter) =>
  Effect.gen(function*() {
    const responses = yield* Responses
    return yield* responses.create(yield* readBody(body), { requestId, meter })
  })

const textsIn = (output: ReadonlyArray<OutputItem>) =>
  output.flatMap((item) =>
    item.type === "message" ? item.content.flatMap((part) => part.type === "output_text" ? [part.text] : []) : []
  )

const tools = [{
  type: "function",
  name: "weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
}]

describe("responses of a model", () => {
  it.effect("have the text and the usage", () =>
    Effect.gen(function*() {
      const { output, status, usage } = yield* respond(bodyWith())
      assert.strictEqual(status, "completed")
      assert.deepStrictEqual(textsIn(output), ["Hello."])
      assert.isAbove(usage?.total_tokens ?? 0, 0)
    }).pipe(Effect.provide(withScriptedModel({ when: always, reply: "Hello." }))))

  for (const model of ["core-105b", "model-g", "model-v", "model-d"]) {
    for (const more of [{}, { tools }, { text: { format: { type: "json_object" } } }, { max_output_tokens: 2 }]) {
      it.effect(`stream correctly on ${model} with ${JSON.stringify(Object.keys(more))}`, () =>
        Effect.gen(function*() {
          const events = yield* eventsFor(bodyWith({ model, ...more }))
          assert.deepStrictEqual(checkEvents(events), [])
          const last = events.at(-1)?.["response"]
          assert.deepStrictEqual<unknown>(last, yield* respond(bodyWith({ model, ...more })))
        }).pipe(Effect.provide(withScriptedModel())))
    }
  }

  it.effect("continue with tool results when all output is sent back", () =>
    Effect.gen(function*() {
      const question = { role: "user", content: "What is the weather?" }
      const first = yield* respond({ model: "model-g", tools, input: [question] })
      const [thought, call] = first.output
      assert.deepStrictEqual([thought?.type, call?.type], ["reasoning", "function_call"])
      const call_id = call?.type === "function_call" ? call.call_id : ""
      const result = { type: "function_call_output", call_id, output: "sunny" }
      const second = yield* respond({ model: "model-g", tools, input: [question, ...first.output, result] })
      assert.deepStrictEqual(textsIn(second.output), ["It is sunny."])
    }).pipe(Effect.provide(withScriptedModel(...weather))))

  it.effect("fail before the first frame when they exceed the context", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(
        Effect.flatMap(
          Responses,
          (responses) =>
            Effect.flatMap(
              readBody(bodyWith({ max_output_tokens: 131_073 })),
              (request) => Stream.runDrain(responses.stream(request, ticket))
            )
        )
      )
      assert.strictEqual(failure._tag, "BadRequest")
    }).pipe(Effect.provide(withScriptedModel())))

  it.effect("are billed once, with their usage", () =>
    Effect.gen(function*() {
      const paid: Array<string> = []
      const meter: Meter = {
        reserve: () => Effect.sync(() => paid.push("reserve")),
        settle: ({ inputTokens, outputTokens }) => Effect.sync(() => paid.push(`${inputTokens}+${outputTokens}`)),
        release: Effect.sync(() => paid.push("release"))
      }
      const { usage } = yield* respond(bodyWith(), meter)
      assert.deepStrictEqual(paid, ["reserve", `${usage?.input_tokens}+${usage?.output_tokens}`])
    }).pipe(Effect.provide(withScriptedModel())))

  it.effect("show the partial output of an answer that broke off", () =>
    Effect.gen(function*() {
      const responses = yield* Responses
      const stream = responses.stream(yield* readBody(bodyWith()), ticket)
      const exit = yield* Effect.exit(Stream.runCollect(stream))
      assert.isTrue(Exit.isSuccess(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
      const events = Exit.isSuccess(exit) ? eventsOf(exit.value) : []
      assert.deepStrictEqual(checkEvents(events), [])
      assert.strictEqual(events.at(-1)?.["type"], "response.failed")
    }).pipe(Effect.provide(
      Layer.provide(
        Responses.layer,
        Layer.provide(
          Answers.layer,
          Layer.merge(
            TokenCounter.layer,
            Layer.succeed(LanguageModel, {
              generate: () => Effect.never,
              stream: () => Stream.make({ _tag: "Text", text: "Hal" } as const)
            })
          )
        )
      )
    )))
})
