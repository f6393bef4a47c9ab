import { assert, describe, it } from "@effect/vitest"
import type { OpenAiModel } from "@trunkline/model-openai"
import { Effect, Exit, Fiber } from "effect"
import { serving, ways } from "./fixtures/Clients.js"
import { fakeUpstream, tcp } from "./fixtures/FakeUpstream.js"
import { closesWhenInterrupted, until } from "./fixtures/Leaving.js"
import { allOf, type Answering, assertHonest, either, inTurn, status, well } from "./fixtures/Wall.js"
import { event, hello, words } from "./fixtures/Wire.js"

/** Longer than any pause before something would be asked again. */
const aWhile = Effect.sleep(80)

const soon: Partial<OpenAiModel.ReliableOptions> = { retries: { initialDelay: 20 } }

/** Two upstreams, and whoever answers from them. */
const setUp = (answering: Answering, options: Partial<OpenAiModel.ReliableOptions> = soon) =>
  Effect.gen(function*() {
    const primary = yield* fakeUpstream(answering)
    const secondary = yield* fakeUpstream(well("secondary"))
    const fallbacks = [{ name: "secondary", baseUrl: secondary.baseUrl, ...soon }]
    const services = yield* serving({ baseUrl: primary.baseUrl, fallbacks, ...options })
    return { primary, secondary, services }
  })

const documentBegun = { status: 200, headers: { "content-type": "application/json" } }
const streamBegun = { status: 200, headers: { "content-type": "text/event-stream" } }

/** State of the upstream when the client leaves; it does no more. */
const windows: Readonly<Record<string, Answering>> = {
  "waits for the beginning of the answer": () => ["hang"],
  "waits for the first token": either([streamBegun, { write: ": ping\n\n" }, "hang"], [documentBegun, "hang"]),
  "is in the middle of the answer": either(
    [{ write: event(words("primary 0, ")) }, "hang"],
    [documentBegun, { write: "{\"choices\":[" }, "hang"]
  ),
  "waits for the rest of a failure": () => [{ status: 503 }, { write: "{" }, "hang"]
}

describe.each(Object.entries(ways))("a client of %s disconnects", (_, { ask, isStream }) => {
  for (const [name, answering] of Object.entries(windows)) {
    for (const watchWhole of isStream ? [false] : [false, true]) {
      it.scopedLive(`while it ${name}${watchWhole ? ", watched" : ""}: the connection breaks at once`, () =>
        Effect.gen(function*() {
          const { primary, secondary, services } = yield* setUp(answering, { ...soon, watchWhole })
          const answer = Effect.provide(ask(hello), services)
          yield* closesWhenInterrupted(primary, answer)
          const requestCount = primary.requests.length
          yield* aWhile
          assert.deepStrictEqual([primary.requests.length, secondary.requests.length], [requestCount, 0])
          assert.strictEqual(primary.atWork(), 0)
          primary.answer(well("primary"))
          assert.strictEqual((yield* answer).text, allOf("primary"), "others are not harmed")
        }))
    }
  }

  it.scopedLive("during the call of a fallback: its connection is closed at once", () =>
    Effect.gen(function*() {
      const { primary, secondary, services } = yield* setUp(status(503), {
        retries: { attempts: 2, initialDelay: 20 },
        breaker: false
      })
      secondary.answer(["hang"])
      yield* closesWhenInterrupted(secondary, Effect.provide(ask(hello), services))
      const requestCounts = [primary.requests.length, secondary.requests.length]
      yield* aWhile
      assert.deepStrictEqual([primary.requests.length, secondary.requests.length], requestCounts)
    }))

  it.scopedLive("during a pause between attempts: no attempt follows", () =>
    Effect.gen(function*() {
      const retries = { initialDelay: 600 }
      const { primary, secondary, services } = yield* setUp(status(503), { retries })
      primary.answer(inTurn(status(503), well("primary")))
      const client = yield* Effect.fork(Effect.provide(ask(hello), services))
      yield* until(() => primary.requests.length === 1 && primary.atWork() === 0)
      yield* Effect.sleep(20)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(client)))
      yield* Effect.sleep(650)
      assert.deepStrictEqual([primary.requests.length, secondary.requests.length], [1, 0])
    }))

  it.scopedLive("in the queue: the upstream is not called, and the slot goes to the next call", () =>
    Effect.gen(function*() {
      const queue = { concurrency: 1, waiting: 1, timeout: "10 seconds" } as const
      const { primary, secondary, services } = yield* setUp(() => ["hang"], { ...soon, queue })
      const answer = Effect.provide(ask(hello), services)
      const first = yield* Effect.fork(answer)
      yield* until(() => primary.requests.length === 1)
      const second = yield* Effect.fork(answer)
      yield* Effect.sleep(20)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(second)))
      const third = yield* Effect.fork(answer)
      yield* Effect.sleep(20)
      assert.deepStrictEqual([primary.requests.length, secondary.requests.length], [1, 0])
      primary.answer(well("primary"))
      yield* Fiber.interrupt(first)
      const result = yield* Fiber.join(third)
      assertHonest(result, "the next one")
      assert.strictEqual(result.text, allOf("primary"))
      assert.deepStrictEqual([primary.requests.length, secondary.requests.length], [2, 0])
    }))

  it.scopedLive("during the connection: it is closed, and no other route is called", () =>
    Effect.gen(function*() {
      let closed = 0
      let opened = 0
      // Takes connections, and never says a word of TLS.
      const port = yield* tcp((socket) => {
        opened++
        socket.on("close", () => closed++).resume()
      })
      const { secondary, services } = yield* setUp(() => [], { ...soon, baseUrl: `https://127.0.0.1:${port}` })
      const client = yield* Effect.fork(Effect.provide(ask(hello), services))
      yield* until(() => opened > 0)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(client)))
      yield* until(() => closed > 0)
      const before = opened
      yield* aWhile
      assert.deepStrictEqual([opened, secondary.requests.length], [before, 0])
    }))
})
