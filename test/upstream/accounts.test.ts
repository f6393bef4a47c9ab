import { assert, describe, it } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { Effect, Fiber } from "effect"
import { accounts, apiBefore, saidTo, status, well } from "./Upstream.js"

const poison = "break"

describe("a model behind a server with few connections", () => {
  it.scopedLive("has one for another account while the answers of one take long", () =>
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

describe("a model behind a server that fails for what one account sends", () => {
  for (const stream of [false, true]) {
    it.scopedLive(`stays open for the other accounts, ${stream ? "as a stream" : "as a whole answer"}`, () =>
      Effect.gen(function*() {
        const { ask, upstream } = yield* apiBefore((seen) => saidTo(seen) === poison ? status(500) : well(seen))
        const failing = yield* Effect.replicateEffect(ask({ text: poison, stream }), 5, { concurrency: "unbounded" })
        assert.deepStrictEqual(failing.map((answer) => answer.status), [503, 503, 503, 503, 503])
        const before = upstream.requests.length
        const refused = yield* ask({ stream })
        assert.strictEqual(refused.status, 503, "the account that made it fail is refused at once")
        assert.match(refused.retryAfter ?? "", /^\d+$/)
        assert.lengthOf(upstream.requests, before)
        const other = yield* ask({ key: accounts.other, stream })
        assert.strictEqual(other.status, 200, other.text)
        assert.include(other.text, "Fine.")
      }))
  }
})
