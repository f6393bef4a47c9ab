import { assert, describe, it } from "@effect/vitest"
import { OpenAiModel, type Timeouts } from "@trunkline/model-openai"
import { Effect, Stream } from "effect"
import { millisOf } from "../src/Timeouts.js"
import { modelBefore, piecesOf, untilFailure } from "./fixtures/Asking.js"
import { type Step, tcp } from "./fixtures/FakeUpstream.js"
import { chunk, event, events, finished, hello, json, texts, usageChunk, whole, words } from "./fixtures/Wire.js"

const tooLong = (what: string, millis: number) => `The model took too long: ${what} within ${millis}ms`

const ping = { write: ": ping\n\n" }
const nothing = { write: event(chunk({ role: "assistant", content: "" })) }

const call = chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "" } }] })

const again = (times: number, ...steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  Array.from({ length: times }, () => steps).flat()

describe("a stream that times out", () => {
  const cases: ReadonlyArray<
    readonly [name: string, script: ReadonlyArray<Step>, timeouts: Partial<Timeouts>, message: string]
  > = [
    ["to begin", ["hang"], { headers: 60 }, tooLong("its answer did not begin", 60)],
    [
      "to say something, silent",
      [{ status: 200, headers: { "content-type": "text/event-stream" } }, "hang"],
      { firstToken: 60 },
      tooLong("its first token did not come", 60)
    ],
    [
      "to say something, with comments and pieces with nothing in them",
      [...again(40, { pause: 10 }, ping, nothing), "hang"],
      { firstToken: 60, betweenTokens: 30 },
      tooLong("its first token did not come", 60)
    ],
    [
      "to go on, silent",
      [{ write: event(words("Hi")) }, "hang"],
      { betweenTokens: 60 },
      tooLong("its next token did not come", 60)
    ],
    [
      "to go on, with comments and pieces with nothing in them",
      [{ write: event(call) }, ...again(40, { pause: 10 }, ping, nothing, { write: event(call) }), "hang"],
      { betweenTokens: 60 },
      tooLong("its next token did not come", 60)
    ],
    [
      "as a whole, although it goes on",
      [...again(40, { pause: 10 }, { write: event(words("Hi")) }), "hang"],
      { total: 150, betweenTokens: 100 },
      tooLong("its answer was not whole", 150)
    ]
  ]
  for (const [name, script, timeouts, message] of cases) {
    it.scopedLive(`fails, names the part, and breaks the connection: ${name}`, () =>
      Effect.gen(function*() {
        const { model, upstream } = yield* modelBefore(script, { timeouts })
        const { failure } = yield* untilFailure(model)
        assert.strictEqual(failure._tag, "ModelTimedOut")
        assert.strictEqual(failure.message, message)
        yield* Effect.promise(async () => upstream.requests[0]?.closed)
      }))
  }

  it.scopedLive("does not fail because of a slow reader", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore([
        ...again(40, { write: events(...Array.from({ length: 500 }, () => words("x".repeat(900)))) }),
        { write: events(chunk({}, "stop"), usageChunk(), "[DONE]") },
        "end"
      ], { timeouts: { betweenTokens: 100 } })
      let length = 0
      yield* Stream.runForEachChunk(model.stream(hello), (deltas) =>
        Effect.zipRight(
          Effect.sync(() => {
            for (const delta of deltas) length += delta._tag === "Text" ? delta.text.length : 0
          }),
          length === 0 ? Effect.sleep(300) : Effect.void
        ))
      assert.strictEqual(length, 40 * 500 * 900)
    }))

  it.scopedLive("does not fail while its tokens arrive in time", () =>
    Effect.gen(function*() {
      const { model } = yield* modelBefore([
        ...again(20, { pause: 20 }, { write: event(words("a")) }),
        { write: events(chunk({}, "stop"), "[DONE]") },
        "end"
      ], { timeouts: { firstToken: 300, betweenTokens: 300 } })
      assert.deepStrictEqual(yield* piecesOf(model), [
        ...texts(...Array.from({ length: 20 }, () => "a")),
        finished("stop")
      ])
    }))
})

describe("a whole response that times out", () => {
  it.scopedLive("fails by the total timeout only", () =>
    Effect.gen(function*() {
      const timeouts = { headers: 10, firstToken: 10, betweenTokens: 10, total: 200 }
      const { model, upstream } = yield* modelBefore([{ pause: 60 }, ...json(whole({ content: "Hi" }))], { timeouts })
      assert.strictEqual((yield* model.generate(hello)).text, "Hi")
      for (const script of [["hang"], [{ status: 200 }, { write: "{" }, "hang"]] as const) {
        upstream.answer(script)
        const failure = yield* Effect.flip(model.generate(hello))
        assert.strictEqual(failure._tag, "ModelTimedOut")
        assert.strictEqual(failure.message, tooLong("its answer was not whole", 200))
      }
    }))
})

describe("the timeout of a whole response", () => {
  it("is shorter by default if its progress is not watched", () => {
    assert.deepStrictEqual([millisOf({}, true).total, millisOf({}, false).total], [600_000, 120_000])
    assert.strictEqual(millisOf({ total: "5 minutes" }, false).total, 300_000)
  })
})

describe("a connection that times out", () => {
  it.scopedLive("has a separate message", () =>
    Effect.gen(function*() {
      const port = yield* tcp((socket) => void socket.resume())
      const model = yield* OpenAiModel.make({ baseUrl: `https://127.0.0.1:${port}`, timeouts: { connect: 60 } })
      for (const failure of [yield* Effect.flip(model.generate(hello)), (yield* untilFailure(model)).failure]) {
        assert.strictEqual(failure._tag, "ModelTimedOut")
        assert.deepInclude(failure, { message: tooLong("it was not connected", 60), unreachable: true })
      }
    }))

  it.scopedLive("does not count against the upstream if all connections are in use", () =>
    Effect.gen(function*() {
      const { model, upstream } = yield* modelBefore(["hang"], { connections: 1, timeouts: { connect: 60 } })
      yield* Effect.fork(model.generate(hello))
      yield* Effect.sleep(30)
      const failure = yield* Effect.flip(model.generate(hello))
      assert.strictEqual(failure._tag, "ModelRateLimited")
      assert.lengthOf(upstream.requests, 1)
    }))
})
