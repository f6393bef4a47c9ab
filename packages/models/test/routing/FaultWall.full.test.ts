import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  type FallbackOptions,
  type FallbackRoute,
  type LanguageModel,
  type ModelRequest,
  withCircuitBreakers,
  withFallbacks,
  withoutFeatures,
  withQueue,
  withRetries,
  withTimeouts
} from "@trunkline/models"
import { answers, fails, fakeModel, type FakeStep, hangs, says, sends, waits } from "@trunkline/models/testing"
import { Clock, Effect, Random, Stream } from "effect"
import { failed, limited, refused, unavailable } from "./Failures.js"
import { hello, type Read, read, textOf } from "./Reading.js"

/** The usual wrappers around a provider. */
const guarded = (model: LanguageModel["Type"]) => {
  const inTime = withTimeouts(model, { firstToken: "5 seconds", betweenTokens: "4 seconds", total: "1 minute" })
  return withCircuitBreakers(withQueue(withRetries(inTime), { concurrency: 100, waiting: 100, timeout: "5 seconds" }))
}

const gateway = (
  primary: LanguageModel["Type"],
  secondary: LanguageModel["Type"],
  options: Partial<FallbackOptions> = {},
  more: Partial<FallbackRoute> = {}
) =>
  withFallbacks([
    { name: "primary", model: guarded(primary) },
    { name: "secondary", model: guarded(secondary), ...more }
  ], { commitPoint: "firstDelta", ...options })

const spare = () => fakeModel([answers("The", " other", " one")])

const tokens = (count: number) => says(...Array.from({ length: count }, (_, index) => `${index} `))

/** Reads one answer of a primary that does this, with a secondary behind it. */
const facing = (script: ReadonlyArray<ReadonlyArray<FakeStep>>, options: Partial<FallbackOptions> = {}) =>
  Effect.gen(function*() {
    const [primary, secondary] = [fakeModel(script), spare()]
    const began = yield* Clock.currentTimeMillis
    const result = yield* read(gateway(primary, secondary, options))
    for (const { closings } of [...primary.calls, ...secondary.calls]) assert.strictEqual(closings, 1)
    return { primary, secondary, result, took: result.endedAt - began }
  })

const isWhole = ({ failure, isFinished }: Read) => failure === null && isFinished

/** The sixteen faults of the design (llm 2.4), as a model shows them; what sockets and frames do is the adapter's. */
describe("faults of providers", () => {
  virtualTest(
    "1: rate limited for two seconds: retried if it is the only route, otherwise passed to the next one",
    () =>
      Effect.gen(function*() {
        const fault = [[fails(limited("2 seconds"))], answers("Hi")]
        const alone = fakeModel(fault)
        const model = withFallbacks([{ name: "primary", model: guarded(alone) }], { commitPoint: "firstDelta" })
        const patient = yield* read(model)
        assert.deepStrictEqual([textOf(patient), alone.calls.length], ["Hi", 2])
        assert.isAtLeast(patient.endedAt, 2_000)
        const { primary, result, secondary, took } = yield* facing(fault)
        assert.deepStrictEqual([textOf(result), took], ["The other one", 0])
        assert.deepStrictEqual([primary.calls.length, secondary.calls.length], [1, 1])
      })
  )

  virtualTest("2: rate limited permanently", () =>
    Effect.gen(function*() {
      const enough = limited("500 millis")
      const primary = fakeModel([[fails(enough)]])
      const alone = withFallbacks([{ name: "primary", model: guarded(primary) }], { commitPoint: "firstDelta" })
      const { failure } = yield* read(alone)
      assert.strictEqual(failure, enough)
      assert.isAtMost(primary.calls.length, 6)
      assert.isAtMost(primary.calls.filter(({ at }) => at <= 3_000).length, 4)
      assert.strictEqual(textOf((yield* facing([[fails(enough)]])).result), "The other one")
    }))

  virtualTest("3 and 5: one error or reset before the response", () =>
    Effect.gen(function*() {
      for (const failure of [failed, unavailable]) {
        const { primary, result } = yield* facing([[fails(failure)], answers("Hi")])
        assert.deepStrictEqual([textOf(result), primary.calls.length], ["Hi", 2])
      }
    }))

  virtualTest("4: permanently unavailable", () =>
    Effect.gen(function*() {
      const { primary, result } = yield* facing([[fails(unavailable)]])
      assert.strictEqual(textOf(result), "The other one")
      assert.isAtMost(primary.calls.length, 4)
    }))

  virtualTest(
    "6 and 7: no response, or no first token in time: called once, then the other route",
    () =>
      Effect.gen(function*() {
        for (const script of [[hangs], [waits("20 seconds"), ...answers("Hi")]]) {
          const { primary, result, took } = yield* facing([script])
          assert.deepStrictEqual([textOf(result), primary.calls.length, took], ["The other one", 1, 5_000])
        }
      })
  )

  virtualTest("8, 9, 10 and 11: truncated, reset, silent or malformed in the middle", () =>
    Effect.gen(function*() {
      for (
        const [count, end] of [[40, []], [60, [fails(unavailable)]], [40, [hangs]], [10, [fails(failed)]]] as const
      ) {
        const cut = yield* facing([[...tokens(count), ...end]])
        assert.isFalse(isWhole(cut.result))
        assert.isNotNull(cut.result.failure)
        assert.strictEqual(cut.result.chunks.length, count)
        assert.strictEqual(cut.secondary.calls.length, 0)
        const rescued = yield* facing([[...tokens(count), ...end]], { commitPoint: "complete" })
        assert.isTrue(isWhole(rescued.result))
        assert.strictEqual(textOf(rescued.result), "The other one")
        assert.isAtMost(rescued.took, 10_000)
      }
    }))

  virtualTest("12: no final event after the last token", () =>
    Effect.gen(function*() {
      for (const commitPoint of ["firstDelta", "complete"] as const) {
        const { result, took } = yield* facing([[...answers("Hi"), hangs]], { commitPoint })
        assert.isTrue(isWhole(result))
        assert.isBelow(took, 8_000)
      }
    }))

  virtualTest("13 and 14: a prompt that is too long or rejected", () =>
    Effect.gen(function*() {
      const { primary, result, secondary } = yield* facing([[fails(refused)]])
      assert.strictEqual(result.failure, refused)
      assert.deepStrictEqual([primary.calls.length, secondary.calls.length], [1, 0])
    }))

  virtualTest("15: a second provider that does not support the request", () =>
    Effect.gen(function*() {
      const prefilled: ModelRequest = {
        ...hello,
        messages: [...hello.messages, { role: "assistant", content: "{", toolRequests: [] }]
      }
      const down = () => fakeModel([[fails(unavailable)]])
      const picky = fakeModel([[fails(refused)]])
      const skipped = yield* read(gateway(down(), picky, {}, { accepts: withoutFeatures("prefill") }), prefilled)
      assert.deepStrictEqual([skipped.failure, picky.calls.length], [unavailable, 0])
      const requestFor = (request: ModelRequest) => ({ ...request, messages: request.messages.slice(0, -1) })
      const secondary = spare()
      assert.isTrue(isWhole(yield* read(gateway(down(), secondary, {}, { requestFor }), prefilled)))
      assert.deepStrictEqual(secondary.calls[0]?.request, hello)
    }))

  virtualTest(
    "16: an outage of a minute: served by the other route, and back within 30 seconds",
    () =>
      Effect.gen(function*() {
        const [up, down] = [fakeModel([answers("The", " first", " one")]), fakeModel([[fails(unavailable)]])]
        const flapping: LanguageModel["Type"] = {
          generate: up.generate,
          stream: (request) =>
            Stream.unwrap(Effect.map(Clock.currentTimeMillis, (now) => (now < 60_000 ? down : up).stream(request)))
        }
        const model = gateway(flapping, spare())
        const messages: Array<{ readonly at: number; readonly text: string }> = []
        while ((yield* Clock.currentTimeMillis) < 90_000) {
          const at = yield* Clock.currentTimeMillis
          messages.push({ at, text: textOf(yield* read(model)) })
          yield* Effect.sleep("500 millis")
        }
        const back = messages.findIndex(({ text }) => text === "The first one")
        assert.isTrue(messages.every(({ text }, index) => text === (index < back ? "The other one" : "The first one")))
        assert.isAbove(back, 0)
        assert.isAtMost(down.calls.length, 40)
      }).pipe(Effect.withRandom(Random.make("flap")))
  )

  virtualTest("report the usage of the route that succeeded", () =>
    Effect.gen(function*() {
      const usage = sends({
        _tag: "Usage",
        usage: { inputTokens: 9, cachedTokens: 9, outputTokens: 9, reasoningTokens: 9 }
      })
      const { result } = yield* facing([[usage, ...tokens(9), fails(failed)]], { commitPoint: "complete" })
      assert.deepStrictEqual(result.usage.map(({ outputTokens }) => outputTokens), [3])
    }))
})
