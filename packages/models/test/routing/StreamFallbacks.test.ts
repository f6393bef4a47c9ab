import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type Delta, withFallbacks } from "@trunkline/models"
import { answers, ends, fails, fakeModel, says, sends, waits } from "@trunkline/models/testing"
import { Effect, FastCheck, Struct } from "effect"
import { failed, limited, refused, timedOut } from "./Failures.js"
import { complete, first, route, spare } from "./FallbackFixtures.js"
import { read } from "./Reading.js"

describe("a stream with fallback routes", () => {
  const broken = [...says("One", " two"), fails(failed)]

  virtualTest("belongs to one route from its first piece on", () =>
    Effect.gen(function*() {
      const two = spare()
      const model = withFallbacks([route("one", fakeModel([broken])), route("two", two)], first)
      const { chunks, failure } = yield* read(model)
      assert.deepStrictEqual([chunks, failure, two.calls.length], [[["One"], [" two"]], failed, 0])
    }))

  virtualTest("is held back to its end if so requested", () =>
    Effect.gen(function*() {
      for (const half of [broken, says("One", " two"), [...says("One"), fails(timedOut)]]) {
        const two = fakeModel([[...says("Two"), waits("1 second"), ...answers(" three")]])
        const model = withFallbacks([route("one", fakeModel([half])), route("two", two)], complete)
        const { chunks, failure } = yield* read(model)
        assert.deepStrictEqual([chunks, failure], [[["Two"], [" three"], []], null])
      }
    }))

  virtualTest("is passed at that end", () =>
    Effect.gen(function*() {
      const slow = [...says("One"), waits("3 seconds"), ...answers(" two")]
      const early = yield* read(withFallbacks([route("one", fakeModel([slow]))], first))
      assert.deepStrictEqual([early.firstAt, early.endedAt], [0, 3_000])
      const late = yield* read(withFallbacks([route("one", fakeModel([slow]))], complete))
      assert.deepStrictEqual([late.firstAt, late.endedAt], [6_000, 6_000])
    }))

  virtualTest(
    "holds back a limited size: a larger completion is passed and keeps its route",
    () =>
      Effect.gen(function*() {
        const long = [...says("123456789", "123456789"), waits("1 second"), ...says("ab"), fails(failed)]
        const two = spare()
        const model = withFallbacks([route("one", fakeModel([long])), route("two", two)], {
          ...complete,
          maxBuffered: 30
        })
        const { chunks, failure, firstAt } = yield* read(model)
        assert.deepStrictEqual([chunks, failure, firstAt], [[["123456789"], ["123456789"], ["ab"]], failed, 0])
        assert.strictEqual(two.calls.length, 0)
      })
  )

  virtualTest("counts log probabilities in the size held back", () =>
    Effect.gen(function*() {
      const text = "a".repeat(100)
      const top = Array.from({ length: 20 }, () => ({ token: "b", logprob: -2 }))
      const large: ReadonlyArray<Delta> = [
        { _tag: "Text", text },
        { _tag: "Reasoning", text },
        { _tag: "Refusal", text },
        { _tag: "ToolStart", index: 0, id: text, name: "" },
        { _tag: "ToolStart", index: 0, id: "", name: text },
        { _tag: "ToolArgs", index: 0, text },
        { _tag: "Text", text: "a", logprobs: [{ token: "a", logprob: -1, top }] }
      ]
      for (const delta of large) {
        const routes = [route("one", fakeModel([[sends(delta), fails(failed)]])), route("two", spare())]
        assert.strictEqual((yield* read(withFallbacks(routes, { ...complete, maxBuffered: 100 }))).failure, failed)
        assert.isNull((yield* read(withFallbacks(routes, { ...complete, maxBuffered: 200 }))).failure)
      }
    }))

  const endings = {
    well: [ends(1)],
    broken: [],
    failed: [fails(failed)],
    "timed out": [fails(timedOut)],
    limited: [fails(limited(1))],
    refused: [fails(refused)]
  }

  it.live.prop(
    "is always the whole stream of exactly one route",
    {
      isComplete: FastCheck.boolean(),
      outcomes: FastCheck.array(
        FastCheck.record({
          wait: FastCheck.integer({ min: 0, max: 100 }),
          count: FastCheck.integer({ min: 0, max: 4 }),
          end: FastCheck.constantFrom(...Struct.keys(endings))
        }),
        { maxLength: 5 }
      )
    },
    ({ isComplete, outcomes }) =>
      Effect.gen(function*() {
        const scripts = outcomes.map(({ count, end, wait }, index) => ({
          end,
          texts: Array.from({ length: count }, (_, piece) => `${index}.${piece} `),
          wait
        }))
        const models = scripts.map(({ end, texts, wait }) =>
          fakeModel([[waits(wait), ...says(...texts), ...endings[end]]])
        )
        const routes = models.map((model, index) => route(`${index}`, model))
        const { chunks, failure, isFinished } = yield* read(withFallbacks(routes, isComplete ? complete : first))

        const isOver = ({ end, texts }: (typeof scripts)[number]) =>
          end === "well" || end === "refused" || (!isComplete && texts.length > 0)
        const served = scripts.findIndex(isOver)
        const last = scripts[served]
        const isShown = last !== undefined && (last.end === "well" || !isComplete)
        assert.deepStrictEqual(chunks.flat(), isShown ? last.texts : [])
        assert.strictEqual(isFinished, last?.end === "well")
        assert.strictEqual(failure === null, last?.end === "well")
        const expectedCalls = served < 0 ? models.length : served + 1
        assert.deepStrictEqual(
          models.map(({ calls }) => calls.length),
          models.map((_, index) => index < expectedCalls ? 1 : 0)
        )
        for (const { calls } of models) for (const { closings } of calls) assert.strictEqual(closings, 1)
      }).pipe(VirtualClock.run)
  )
})
