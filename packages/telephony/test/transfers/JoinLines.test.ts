import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Fiber } from "effect"
import { joinLines, makeSimulatedAudioLine } from "../../src/index.js"

const tone = (rate: number, millis: number, height: number): Float32Array =>
  Float32Array.from({ length: rate * millis / 1000 }, (_, at) => height * Math.sin(2 * Math.PI * 400 * at / rate))

const loudest = (samples: Float32Array): number => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

const joined = (rates: readonly [number, number] = [8_000, 8_000]) =>
  Effect.gen(function*() {
    const one = yield* makeSimulatedAudioLine({ rate: rates[0] })
    const other = yield* makeSimulatedAudioLine({ rate: rates[1] })
    one.line.play(new Float32Array(8_000).fill(0.9))
    const joining = yield* Effect.fork(joinLines(one.line, other.line))
    yield* Effect.yieldNow()
    return { one: one.caller, other: other.caller, joining }
  })

describe("lines that are joined", () => {
  for (const rates of [[8_000, 8_000], [8_000, 16_000], [16_000, 8_000]] as const) {
    virtualTest(
      `carry the sound of each side to the other one, from ${rates[0]} to ${rates[1]} Hz`,
      () =>
        Effect.gen(function*() {
          const { one, other } = yield* joined(rates)
          one.say(tone(rates[0], 300, 0.5))
          other.say(tone(rates[1], 300, 0.25))
          yield* BusinessTime.sleep(1_000)
          assert.closeTo(loudest(other.recording()), 0.5, 0.05)
          assert.closeTo(loudest(one.recording()), 0.25, 0.05)
        })
    )
  }

  virtualTest(
    "carry sound for long without a delay that grows, and forget what was to be played before",
    () =>
      Effect.gen(function*() {
        const { one, other } = yield* joined()
        yield* BusinessTime.sleep(20_000)
        assert.strictEqual(loudest(one.recording()), 0)
        one.say(tone(8_000, 100, 0.5))
        yield* BusinessTime.sleep(400)
        assert.isAbove(loudest(other.recording()), 0.4)
      })
  )

  virtualTest("go on after one side was on hold, at most half a second late", () =>
    Effect.gen(function*() {
      const { one, other } = yield* joined()
      other.hold(true)
      one.say(tone(8_000, 5_000, 0.1))
      yield* BusinessTime.sleep(10_000)
      other.hold(false)
      yield* BusinessTime.sleep(1_000)
      one.say(tone(8_000, 100, 0.5))
      yield* BusinessTime.sleep(700)
      assert.isAbove(loudest(other.recording()), 0.4)
    }))

  virtualTest("pass keys on", () =>
    Effect.gen(function*() {
      const { one, other } = yield* joined()
      one.press("4")
      other.press("#")
      yield* BusinessTime.sleep(100)
      assert.deepStrictEqual([one.keys(), other.keys()], ["#", "4"])
    }))

  virtualTest("end together, whoever hangs up", () =>
    Effect.gen(function*() {
      for (const side of ["one", "other"] as const) {
        const call = yield* joined()
        yield* call[side].hangUp
        yield* Fiber.join(call.joining)
        const ends = [yield* call.one.ended, yield* call.other.ended]
        assert.deepStrictEqual(ends, side === "one" ? ["user", "agent"] : ["agent", "user"])
      }
    }))
})
