import { assert, describe, it } from "@effect/vitest"
import { VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type AnswerTimeouts, withTimeouts } from "@trunkline/models"
import { answers, ends, fakeModel, type FakeStep, hangs, says, sends, waits } from "@trunkline/models/testing"
import { Clock, Duration, Effect, FastCheck, Stream } from "effect"
import { hello, read, textOf } from "./Reading.js"

const bounds: AnswerTimeouts = { firstToken: "5 seconds", betweenTokens: "3 seconds", total: "20 seconds" }

/** An answer that says a word again and again. */
const repeating = (count: number, every: Duration.DurationInput, text = "word"): ReadonlyArray<FakeStep> =>
  Array.from({ length: count }, () => [waits(every), ...says(text)]).flat()

/** Reads one answer within bounds: what was said, what the failure says, and when. */
const readWithin = (bounds: AnswerTimeouts, ...script: ReadonlyArray<FakeStep>) =>
  Effect.gen(function*() {
    const began = yield* Clock.currentTimeMillis
    const inner = fakeModel([script])
    const result = yield* read(withTimeouts(inner, bounds))
    assert.deepStrictEqual(inner.calls.map(({ closings }) => closings), [1])
    const { failure } = result
    return {
      text: textOf(result),
      late: failure?._tag === "ModelTimedOut" ? failure.message : failure,
      after: result.endedAt - began
    }
  })

describe("a completion with time limits", () => {
  virtualTest("is passed unchanged if it arrives in time", () =>
    Effect.gen(function*() {
      const script = [waits("4999 millis"), ...says("One"), waits("2999 millis"), ...answers(" two")]
      assert.deepStrictEqual(yield* readWithin(bounds, ...script), { text: "One two", late: null, after: 7_998 })
    }))

  virtualTest(
    "times out without a first token, also if only usage and empty pieces arrive",
    () =>
      Effect.gen(function*() {
        const late = { text: "", late: "The model did not begin its answer within 5s", after: 5_000 }
        assert.deepStrictEqual(yield* readWithin(bounds, hangs), late)
        assert.deepStrictEqual(yield* readWithin(bounds, waits("5001 millis"), ...answers("Hi")), late)
        const usage = { inputTokens: 9, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 }
        const idle = [sends({ _tag: "Usage", usage }), ...repeating(9, "1 second", "")]
        assert.deepStrictEqual(yield* readWithin(bounds, ...idle), late)
      })
  )

  virtualTest("times out between tokens, also if only empty pieces arrive", () =>
    Effect.gen(function*() {
      const late = { text: "One", late: "The model went silent in its answer for 3s", after: 4_000 }
      assert.deepStrictEqual(yield* readWithin(bounds, waits("1 second"), ...says("One"), hangs), late)
      const idle = [waits("1 second"), ...says("One"), ...repeating(9, "1 second", "")]
      assert.deepStrictEqual(yield* readWithin(bounds, ...idle), late)
    }))

  virtualTest("times out before its end", () =>
    Effect.gen(function*() {
      const { after, late } = yield* readWithin(bounds, ...repeating(30, "1 second"))
      assert.deepStrictEqual([late, after], ["The model did not end its answer within 20s", 20_000])
      const failure = yield* Effect.flip(withTimeouts(fakeModel([[hangs]]), bounds).generate(hello))
      assert.strictEqual(failure.message, "The model did not end its answer within 20s")
    }))

  virtualTest("times out if it only trickles", () =>
    Effect.gen(function*() {
      const flowing = { ...bounds, minRate: { tokens: 5, per: "4 seconds" } } as const
      const drip = yield* readWithin(flowing, waits("1 second"), ...repeating(10, "1 second", "a"))
      assert.strictEqual(drip.late, "The model wrote less than 5 tokens within 4s")
      assert.strictEqual(drip.after, 6_000)
      const flow = yield* readWithin(flowing, ...repeating(60, "250 millis", "a"), ends(60))
      assert.isNull(flow.late)
      const large = yield* readWithin(flowing, ...repeating(10, "1 second", "a long piece of text"), ends(60))
      assert.isNull(large.late)
      const slower = yield* readWithin(flowing, ...repeating(20, "250 millis"), ...repeating(9, "2 seconds"))
      assert.strictEqual(slower.late, "The model wrote less than 5 tokens within 4s")
    }))

  virtualTest("does not time out once it is whole, even if more follows", () =>
    Effect.gen(function*() {
      const { after, late, text } = yield* readWithin(bounds, ...answers("Hi"), hangs)
      assert.deepStrictEqual([text, late, after], ["Hi", null, 3_000])
    }))

  virtualTest(
    "does not time out because of a slow reader, but does because of a slow model",
    () =>
      Effect.gen(function*() {
        const texts = Array.from({ length: 9 }, (_, index) => `${index}`)
        const flowing = { ...bounds, minRate: { tokens: 5, per: "4 seconds" } } as const
        const inner = fakeModel([[...texts.flatMap((text) => [waits("100 millis"), ...says(text)]), hangs]])
        let read = ""
        const failure = yield* withTimeouts(inner, flowing).stream(hello).pipe(
          Stream.runForEach((delta) =>
            Effect.delay(Effect.sync(() => void (read += delta._tag === "Text" ? delta.text : "")), "1 minute")
          ),
          Effect.flip
        )
        assert.strictEqual(read, "012345678")
        assert.strictEqual(failure.message, "The model went silent in its answer for 3s")
        assert.strictEqual(yield* Clock.currentTimeMillis, 9 * 60_000 + 900 + 3_000)
      })
  )

  virtualTest("starts no timer for each piece, nor while its reader pauses", () =>
    Effect.gen(function*() {
      const clock = yield* Effect.clock
      let sleeps = 0
      const counting: Clock.Clock = {
        ...clock,
        sleep: (duration) =>
          Effect.suspend(() => {
            sleeps += 1
            return clock.sleep(duration)
          })
      }
      const texts = Array.from({ length: 2_000 }, () => "word")
      const { stream } = withTimeouts(fakeModel([answers(...texts)]), bounds)
      yield* Effect.withClock(Stream.runDrain(stream(hello)), counting)
      assert.isAtMost(sleeps, 2)
      const pausing = Stream.runForEach(Stream.take(stream(hello), 3), () => clock.sleep(Duration.hours(1)))
      yield* Effect.withClock(pausing, counting)
      assert.isAtMost(sleeps, 8)
    }))

  virtualTest(
    "stops the model at a timeout although its reader cannot be interrupted",
    () =>
      Effect.gen(function*() {
        const inner = fakeModel([[hangs]])
        const { failure } = yield* Effect.uninterruptible(read(withTimeouts(inner, bounds)))
        assert.deepStrictEqual([failure?._tag, inner.calls[0]?.closings], ["ModelTimedOut", 1])
      })
  )

  virtualTest("stops the model at a timeout, and can be requested again", () =>
    Effect.gen(function*() {
      const inner = fakeModel([[hangs], answers("Hi")])
      const model = withTimeouts(inner, bounds)
      const stream = model.stream(hello)
      yield* Effect.exit(Stream.runDrain(stream))
      assert.strictEqual(inner.calls[0]?.closings, 1)
      yield* Stream.runDrain(stream)
      assert.strictEqual(inner.calls[1]?.closings, 1)
    }))

  it.live.prop(
    "takes at most the time of its phases, and passes everything before the timeout",
    {
      pauses: FastCheck.array(FastCheck.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 20 })
    },
    ({ pauses }) =>
      Effect.gen(function*() {
        const flowing = { ...bounds, minRate: { tokens: 2, per: "4 seconds" } } as const
        const script = [...pauses.flatMap((pause) => [waits(pause), ...says("word")]), ends(1)]
        const { after, late, text } = yield* readWithin(flowing, ...script)
        const moments = pauses.map((_, index) => pauses.slice(0, index + 1).reduce((sum, pause) => sum + pause, 0))
        const isQuick = moments.every((at, index) => index === 0 || at - (moments[index - 1] ?? 0) < 1_000)
        if (isQuick && (moments.at(-1) ?? 0) < 20_000) assert.isNull(late)
        if (late === null) {
          assert.strictEqual(after, moments.at(-1))
          assert.isTrue(pauses.slice(1).every((pause) => pause <= 3_000))
        } else {
          assert.isAtMost(after, Math.min(20_000, Math.max(...moments) + 3_000))
        }
        assert.strictEqual(text, "word".repeat(moments.filter((at) => at < after || late === null).length))
      }).pipe(VirtualClock.run)
  )
})
