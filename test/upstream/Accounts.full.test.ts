import { assert, describe, it } from "@effect/vitest"
import { fakeServer } from "@trunkline/http-client/testing"
import { macroTask } from "@trunkline/kernel"
import { Effect, Fiber } from "effect"
import { accounts, apiBefore, saidTo, status, well } from "./Upstream.js"

const poison = "break"

describe("a model behind a server with few connections", () => {
  it.scopedLive("keeps one for another account while the responses of one are slow", () =>
    Effect.gen(function*() {
      const { ask, upstream } = yield* apiBefore(
        (seen) => saidTo(seen) === "wait" ? ["hang"] : well(seen),
        { connections: 2 }
      )
      const long = yield* Effect.fork(Effect.replicateEffect(ask({ text: "wait" }), 8, { concurrency: "unbounded" }))
      yield* Effect.repeat(macroTask, { until: () => upstream.requests.length > 0 })
      const other = yield* ask({ key: accounts.other })
      assert.strictEqual(other.status, 200, other.text)
      yield* Fiber.interrupt(long)
    }))
})

describe("a model behind a server that fails for one account", () => {
  for (const route of ["/v1/chat/completions", "/v2/responses"] as const) {
    for (const stream of [false, true]) {
      it.scopedLive(`stays open for the other accounts: ${route}, ${stream ? "streamed" : "whole"}`, () =>
        Effect.gen(function*() {
          const { ask, upstream } = yield* apiBefore((seen) => saidTo(seen) === poison ? status(500) : well(seen))
          const asked = { route, stream }
          const failing = yield* Effect.replicateEffect(ask({ ...asked, text: poison }), 5, {
            concurrency: "unbounded"
          })
          for (const { status, text } of failing) assert.include([502, 503], status, text)
          const before = upstream.requests.length
          const refused = yield* ask(asked)
          assert.strictEqual(refused.status, 503, "the account that made it fail is refused at once")
          assert.match(refused.retryAfter ?? "", /^\d+$/)
          assert.lengthOf(upstream.requests, before)
          const other = yield* ask({ ...asked, key: accounts.other })
          assert.strictEqual(other.status, 200, other.text)
          assert.include(other.text, "Fine.")
        }))
    }
  }
})

describe("a model behind a server that fails for all accounts", () => {
  it.scopedLive("opens its circuit for every account once the calls of two have failed", () =>
    Effect.gen(function*() {
      const { ask, upstream } = yield* apiBefore(() => status(500))
      for (const key of [accounts.one, accounts.other]) yield* Effect.replicateEffect(ask({ key }), 3)
      const before = upstream.requests.length
      const third = yield* ask({ key: accounts.third })
      assert.deepStrictEqual([third.status, upstream.requests.length], [503, before])
      assert.match(third.retryAfter ?? "", /^\d+$/)
    }))

  it.scopedLive("opens its circuit for every account when it is unreachable", () =>
    Effect.gen(function*() {
      const { origin } = yield* Effect.scoped(fakeServer())
      const { ask } = yield* apiBefore([], { baseUrl: `${origin}/v1` })
      const failing = yield* Effect.replicateEffect(ask(), 5)
      for (const { text } of failing) assert.include(text, "The model cannot be reached")
      const other = yield* ask({ key: accounts.other })
      assert.strictEqual(other.status, 503)
      assert.match(other.retryAfter ?? "", /^\d+$/)
    }))
})
