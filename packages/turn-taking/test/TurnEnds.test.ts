import { assert, describe, it } from "@effect/vitest"
import { makeVoiceActivityDetector } from "@trunkline/audio"
import type { TurnEnd } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type EndOfTurn, turnTakingDefaults, type TurnTakingOptions } from "@trunkline/turn-taking"
import { Duration, Effect, Fiber } from "effect"
import { makeTurnDetector } from "../src/TurnDetector.js"
import { type AudibleCall, connect, wait } from "./Audible.js"

const quiet = new Float32Array(160)
const voice = Float32Array.from({ length: 160 }, (_, at) => 0.3 * Math.sin(at * 0.7))
const listen = Duration.seconds(8)

const onLine = (options: Partial<TurnTakingOptions> = {}) => {
  const turn = makeTurnDetector(makeVoiceActivityDetector({ rate: 8_000 }), { ...turnTakingDefaults, ...options })
  const hear = (samples: Float32Array, millis: number) => {
    for (let at = 0; at < millis; at += 20) turn.push(samples, false)
  }
  hear(quiet, 200)
  return { turn, speak: (millis: number) => hear(voice, millis), pause: (millis: number) => hear(quiet, millis) }
}

describe("why a turn of the caller ended", () => {
  it("is the silence that the policy asks for after these words", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    assert.isNull(turn.end())
    const end = turn.end
    pause(200)
    turn.answer("I need a table and")
    pause(900)
    assert.isNull(end())
    pause(100)
    const over: TurnEnd = {
      rule: "silence",
      waited_ms: 1_200,
      required_ms: 1_200,
      completeness: "unfinished",
      spoken_ms: 980,
      prepared: false
    }
    assert.deepStrictEqual(end(), over)
    speak(500)
    assert.deepStrictEqual(end(), over, "of this turn also once the next one has begun")
    assert.isNull(turn.end())
  })

  it("tells that the answer was prepared before the end", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    pause(200)
    turn.answer("Hello there.")
    turn.take()
    pause(200)
    assert.deepInclude(turn.end(), { rule: "silence", completeness: "finished", required_ms: 400, prepared: true })
  })

  it("is the words when they come after the pause, and the length of a turn without a pause", () => {
    const late = onLine()
    late.speak(1_000)
    late.pause(800)
    late.turn.answer("Hello there.")
    assert.deepInclude(late.turn.end(), { rule: "words", waited_ms: 800, required_ms: 400 })
    const long = onLine({ longestTurn: 2_000 })
    long.speak(2_100)
    long.turn.answer("and so on")
    assert.deepInclude(long.turn.end(), { rule: "longest_turn", required_ms: 2_000, completeness: null, waited_ms: 0 })
  })

  it("has what a policy of the host makes of the words, cut to 40 characters, and nothing of a policy that fails", () => {
    const fail: EndOfTurn = () => {
      throw new Error("broken")
    }
    const policies: ReadonlyArray<readonly [EndOfTurn, number, string | null]> = [
      [() => ({ millis: 600, completeness: "asks a question" }), 600, "asks a question"],
      [() => ({ millis: 600, completeness: "x".repeat(99) }), 600, "x".repeat(40)],
      [() => 600, 600, null],
      [fail, 3_000, null]
    ]
    for (const [endOfTurn, required_ms, completeness] of policies) {
      const { pause, speak, turn } = onLine({ endOfTurn })
      speak(1_000)
      pause(200)
      turn.answer("Well?")
      pause(3_000)
      assert.deepInclude(turn.end(), { rule: "silence", required_ms, completeness })
    }
  })

  const endAfter = (digits: string, act: (call: AudibleCall) => Effect.Effect<void>, keyPause = 500) =>
    Effect.gen(function*() {
      const call = yield* connect({ turns: { keyPause } })
      const listening = yield* Effect.fork(call.leg.listen(listen))
      yield* wait(100)
      for (const digit of digits) call.caller.press(digit)
      yield* act(call)
      const heard = yield* Fiber.join(listening)
      return heard._tag === "Pressed" || heard._tag === "Said" ? heard.turnEnd?.() ?? null : null
    })

  virtualTest("is a pause, the key #, too many keys or the end of the call after keys", () =>
    Effect.gen(function*() {
      const paused = yield* endAfter("47", () => wait(600))
      assert.deepInclude(paused, { rule: "key_pause", waited_ms: 500, required_ms: 500, spoken_ms: null })
      assert.deepInclude(yield* endAfter("47#", () => Effect.void), { rule: "key_terminator", required_ms: null })
      assert.deepInclude(yield* endAfter("1".repeat(64), () => Effect.void), { rule: "key_limit" })
      const hungUp = yield* endAfter("4", ({ caller }) => caller.hangUp)
      assert.deepInclude(hungUp, { rule: "call_ended" })
    }))

  virtualTest("comes with what the agent hears, once the turn is over", () =>
    Effect.gen(function*() {
      const end = yield* endAfter("", ({ say }) => Effect.zipRight(say("I need a table."), wait(1_000)))
      assert.deepInclude(end, { rule: "silence", completeness: "finished", required_ms: 400, prepared: true })
    }))
})
