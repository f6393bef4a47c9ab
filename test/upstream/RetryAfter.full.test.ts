import { assert, describe, it } from "@effect/vitest"
import { fakeServer, type Step } from "@trunkline/http-client/testing"
import { Effect, Struct } from "effect"
import { apiBefore, status, well } from "./Upstream.js"

/** An hour is the most that a server is believed. */
const inTwoHours = () => new Date(Date.now() + 7_200_000).toUTCString()

/** Waits that do not fit into the budget, and what a client may be told of them, in seconds. */
const long: Readonly<Record<string, readonly [headers: () => Readonly<Record<string, string>>, told: string]>> = {
  "seconds": [() => ({ "retry-after": "20" }), "20"],
  "a date": [() => ({ "retry-after": inTwoHours() }), "3600"],
  "milliseconds": [() => ({ "retry-after": "1", "retry-after-ms": "19500" }), "20"]
}

/** The codes of a 429 and of a 503, by route. */
const codes = {
  "/v1/chat/completions": ["rate_limit_exceeded_error", "model_call_error"],
  "/v2/responses": ["model_rate_limit_exceeded_error", "model_overloaded"]
} as const

/** Refuses once with these headers, and then is well. */
const once = (code: number, headers: Readonly<Record<string, string>>) => {
  let isFirst = true
  return (seen: Parameters<typeof well>[0]): ReadonlyArray<Step> => {
    if (!isFirst) return well(seen)
    isFirst = false
    return status(code, headers)
  }
}

describe.each([429, 503])("a model whose server answers %i", (code) => {
  for (const stream of [false, true]) {
    const way = stream ? "a stream" : "a whole answer"
    for (const [name, [headers, told]] of Object.entries(long)) {
      it.scopedLive(`and asks for too long a wait in ${name}: ${way} fails at once, and says when to come back`, () =>
        Effect.gen(function*() {
          const { ask, upstream } = yield* apiBefore(() => status(code, headers()))
          for (const [route, [limited, unavailable]] of Struct.entries(codes)) {
            const answer = yield* ask({ route, stream })
            assert.strictEqual(answer.status, code, answer.text)
            assert.strictEqual(answer.retryAfter, told)
            assert.deepInclude(JSON.parse(answer.text).error, { code: code === 429 ? limited : unavailable })
          }
          assert.lengthOf(upstream.requests, 2)
        }))
    }

    it.scopedLive(`and asks for a wait that fits: ${way} comes after it`, () =>
      Effect.gen(function*() {
        const { ask, upstream } = yield* apiBefore(once(code, { "retry-after-ms": "50" }))
        const answer = yield* ask({ stream })
        assert.strictEqual(answer.status, 200, answer.text)
        assert.lengthOf(upstream.requests, 2)
      }))

    it.scopedLive(`and asks for a wait that fits, before another server: ${way} comes from that one`, () =>
      Effect.gen(function*() {
        const other = yield* fakeServer(well)
        const fallbacks = [{ name: "other", baseUrl: `${other.origin}/v1` }]
        const { ask, upstream } = yield* apiBefore(once(code, { "retry-after-ms": "50" }), { fallbacks })
        assert.strictEqual((yield* ask({ stream })).status, 200)
        assert.deepStrictEqual([upstream.requests.length, other.requests.length], [1, 1])
      }))
  }
})
