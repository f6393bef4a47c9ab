import { assert, describe, it } from "@effect/vitest"
import type { OpenAiModel } from "@trunkline/model-openai"
import type { FallbackOptions, Served } from "@trunkline/models"
import { Effect, Fiber, Redacted } from "effect"
import { serving, ways } from "./fixtures/Clients.js"
import { fakeUpstream } from "./fixtures/FakeUpstream.js"
import { until } from "./fixtures/Leaving.js"
import { allOf, status, well } from "./fixtures/Wall.js"
import { hello } from "./fixtures/Wire.js"

const never = { retries: false, breaker: false } as const

/** Two upstreams, the first of them down. */
const setUp = (options: Partial<OpenAiModel.ReliableOptions>, fallback?: Partial<OpenAiModel.Fallback>) =>
  Effect.gen(function*() {
    const primary = yield* fakeUpstream(status(503))
    const secondary = yield* fakeUpstream(well("secondary"))
    const services = yield* serving({
      baseUrl: primary.baseUrl,
      ...fallback === undefined
        ? {}
        : { fallbacks: [{ name: "secondary", baseUrl: secondary.baseUrl, ...fallback }] },
      ...options
    })
    return { primary, secondary, services }
  })

describe.each(Object.entries(ways))("%s with retries, fallbacks and circuit breakers", (_, { ask }) => {
  it.scopedLive("opens the circuit while it is unavailable, unless disabled", () =>
    Effect.gen(function*() {
      for (const breaker of [undefined, false] as const) {
        const { primary, services } = yield* setUp({ retries: false, ...breaker === false && { breaker } })
        for (let index = 0; index < 8; index++) {
          const { failure } = yield* Effect.provide(ask(hello), services)
          assert.strictEqual(failure?._tag, "ModelUnavailable")
        }
        assert.lengthOf(primary.requests, breaker === false ? 8 : 5)
      }
    }))

  it.scopedLive("falls back to the next upstream after a second attempt, or if that would have to wait", () =>
    Effect.gen(function*() {
      const { primary, services } = yield* setUp({}, {})
      const { text, took } = yield* Effect.provide(ask(hello), services)
      assert.strictEqual(text, allOf("secondary"))
      assert.isAtMost(primary.requests.length, 2)
      assert.isAtLeast(took, 125)
      const before = primary.requests.length
      primary.answer(status(429, {}, { "retry-after": "2" }))
      assert.strictEqual((yield* Effect.provide(ask(hello), services)).text, allOf("secondary"))
      assert.lengthOf(primary.requests, before + 1)
    }))

  it.scopedLive("sends no data of one upstream to another one, and reports the one that succeeded", () =>
    Effect.gen(function*() {
      const reports: Array<Served> = []
      const onServed: FallbackOptions["onServed"] = (served) => Effect.sync(() => void reports.push(served))
      const { primary, secondary, services } = yield* setUp(
        { ...never, onServed, apiKey: Redacted.make("k1"), headers: { "x-team": "a" }, models: { m: "M1" } },
        { models: { m: "M2" } }
      )
      yield* Effect.provide(ask(hello), services)
      assert.include(primary.requests[0]?.headers, { "authorization": "Bearer k1", "x-team": "a" })
      assert.strictEqual(primary.requests[0]?.body.model, "M1")
      assert.notProperty(secondary.requests[0]?.headers, "authorization")
      assert.notProperty(secondary.requests[0]?.headers, "x-team")
      assert.strictEqual(secondary.requests[0]?.body.model, "M2")
      assert.deepStrictEqual(
        reports.map((
          { failedRoutes, route }
        ) => [route, failedRoutes.map(({ failure, route }) => [route, failure._tag])]),
        [["secondary", [["primary", "ModelUnavailable"]]]]
      )
    }))

  it.scopedLive("does not retry models that are not listed", () =>
    Effect.gen(function*() {
      const strict = {
        strictModels: true,
        retries: { initialDelay: "1 hour", longestPause: "1 hour", budget: "1 day" }
      } as const
      const alone = yield* setUp(strict)
      const { failure } = yield* Effect.provide(ask(hello), alone.services)
      assert.deepInclude(failure, { _tag: "ModelUnavailable", message: "This model is not available here" })
      const { primary, services } = yield* setUp(strict, {})
      assert.strictEqual((yield* Effect.provide(ask(hello), services)).text, allOf("secondary"))
      assert.lengthOf(primary.requests, 0)
    }))

  it.scopedLive("rejects requests that no upstream supports", () =>
    Effect.gen(function*() {
      const capabilities = { all: { logprobs: false } }
      const fallbacks = [undefined, { capabilities }, { accepts: () => false }] as const
      for (const fallback of fallbacks) {
        const { primary, secondary, services } = yield* setUp({ capabilities }, fallback)
        const { failure } = yield* Effect.provide(ask({ ...hello, logprobs: 0 }), services)
        assert.strictEqual(failure?._tag, "BadRequest")
        assert.deepStrictEqual([primary.requests.length, secondary.requests.length], [0, 0])
      }
    }))

  it.scopedLive("passes calls that its queue cannot hold to the next upstream, or rejects them", () =>
    Effect.gen(function*() {
      const queue = { concurrency: 1, waiting: 0, timeout: "10 seconds" } as const
      for (const fallback of [undefined, {}]) {
        const { primary, services } = yield* setUp({ ...never, queue }, fallback)
        primary.answer(["hang"])
        const first = yield* Effect.fork(Effect.provide(ask(hello), services))
        yield* until(() => primary.requests.length === 1)
        const { failure, text } = yield* Effect.provide(ask(hello), services)
        if (fallback === undefined) assert.strictEqual(failure?._tag, "ModelRateLimited")
        else assert.strictEqual(text, allOf("secondary"))
        assert.lengthOf(primary.requests, 1)
        yield* Fiber.interrupt(first)
      }
    }))
})
