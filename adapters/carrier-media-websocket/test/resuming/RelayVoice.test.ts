import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Effect, Fiber } from "effect"
import { makeRelayVoice } from "../../src/relay/RelayVoice.js"
import { format } from "./CrashingCall.js"

/** A voice that an earlier process has left a sentence, long ago, and what it posts. */
const makeVoice = (isComplete: boolean) => {
  const posted: Array<string> = []
  const voice = makeRelayVoice({
    format,
    keep: () => Effect.void,
    onLanguage: () => {},
    post: (message) => void posted.push(message)
  })
  voice.inherit({ of: 4, token: "We also have a garden.", lang: "en-IN", at: 0, ...(isComplete && { isLast: true }) })
  const said = voice.say({ text: "", language_name: "English", interruptible: true, number: 4 })
  return { voice, posted, said }
}

const texts = (posted: ReadonlyArray<string>) => posted.filter((message) => message.includes("garden"))

describe("the sentence of a process that has died", () => {
  for (const isComplete of [true, false]) {
    virtualTest(
      `is not said twice when its voice is told late, ${isComplete ? "whole" : "cut off"}`,
      () =>
        Effect.gen(function*() {
          const { posted, said, voice } = makeVoice(isComplete)
          yield* Effect.sleep("10 seconds")
          const saying = yield* Effect.fork(said)
          yield* Effect.sleep("1400 millis")
          voice.report(true)
          yield* Effect.sleep("1 second")
          voice.report(false)
          const { heard } = yield* Fiber.join(saying)
          assert.strictEqual(heard, "We also have a garden.")
          assert.deepStrictEqual(texts(posted), [])
        })
    )
  }

  virtualTest("is said when no voice has begun a second and a half after the return", () =>
    Effect.gen(function*() {
      const { posted, said, voice } = makeVoice(true)
      yield* Effect.sleep("10 seconds")
      const saying = yield* Effect.fork(said)
      yield* Effect.sleep("1600 millis")
      assert.lengthOf(texts(posted), 1)
      voice.report(true)
      voice.report(false)
      assert.strictEqual((yield* Fiber.join(saying)).heard, "We also have a garden.")
    }))
})
