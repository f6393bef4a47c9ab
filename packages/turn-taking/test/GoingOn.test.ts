import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import type { Heard } from "@trunkline/telephony"
import { Duration, Effect, Fiber } from "effect"
import { connect, wait, withoutEnd } from "./Audible.js"

const utterance = (text: string) => ({ text, language_name: "English", interruptible: true })
const listen = Duration.seconds(8)
const wordsEvent = (text: string): Partial<Heard> => ({ _tag: "Said", text, en_text: null, language_name: null })

/** Noise without words. */
const noise = (millis: number) => Float32Array.from({ length: 8 * millis }, (_, at) => 0.3 * Math.sin(at * at))

describe("a caller who goes on before the answer", () => {
  virtualTest("is not waited for after a cough", () =>
    Effect.gen(function*() {
      const { caller, leg, say } = yield* connect()
      const goesOn = leg.goesOn ?? Effect.void
      const listening = yield* Effect.fork(leg.listen(listen))
      yield* wait(500)
      yield* say("I would like to book a table.")
      assert.deepInclude(yield* listening, wordsEvent("I would like to book a table."))
      caller.say(noise(120))
      yield* goesOn
      const from = yield* BusinessTime.now
      assert.deepStrictEqual(yield* leg.listen(listen), { _tag: "Silent" })
      assert.isBelow((yield* BusinessTime.now) - from, 600)
      const again = yield* Effect.fork(goesOn)
      yield* wait(1_000)
      assert.strictEqual((yield* Fiber.poll(again))._tag, "None")
    }))

  virtualTest("does so until the answer's first sound, although the turn is over", () =>
    Effect.gen(function*() {
      const { heard: heardByCaller, leg, say } = yield* connect()
      const listening = yield* Effect.fork(leg.listen(listen))
      yield* wait(500)
      yield* say("I would like to book a table.")
      assert.deepInclude(yield* listening, wordsEvent("I would like to book a table."))
      yield* wait(800)
      const goesOn = yield* Effect.fork(leg.goesOn ?? Effect.void)
      yield* Effect.fork(say("At seven, please."))
      yield* wait(600)
      const answer = yield* Effect.fork(leg.say(utterance("For how many?")))
      yield* Effect.timeout(Fiber.join(goesOn), "10 seconds")
      yield* Fiber.interrupt(answer)
      assert.deepInclude(yield* leg.listen(listen), wordsEvent("At seven, please."))
      yield* leg.say(utterance("Very well."))
      assert.strictEqual(yield* heardByCaller, "Very well.")
    }))

  virtualTest("does so with a key", () =>
    Effect.gen(function*() {
      const { caller, leg } = yield* connect()
      const listening = yield* Effect.fork(leg.listen(listen))
      yield* wait(500)
      caller.press("1")
      assert.deepStrictEqual(withoutEnd(yield* listening), { _tag: "Pressed", digit: "1" })
      const goesOn = yield* Effect.fork(leg.goesOn ?? Effect.void)
      yield* wait(500)
      caller.press("2")
      yield* Effect.timeout(Fiber.join(goesOn), "10 seconds")
      assert.deepStrictEqual(withoutEnd(yield* leg.listen(listen)), { _tag: "Pressed", digit: "2" })
    }))
})
