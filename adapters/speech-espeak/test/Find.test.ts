import { assert, describe, it } from "@effect/vitest"
import { Synthesizer } from "@trunkline/speech"
import { Effect, Fiber, Option } from "effect"
import { describeEspeak, findBinary } from "../src/FindEspeak.js"
import { espeakSynthesizer, SpeechEspeak } from "../src/SpeechEspeak.js"
import { fakeEspeak, until } from "./FakeEspeak.js"
import { saying, spoken } from "./Speaking.js"

describe("the espeak that is used", () => {
  it.scopedLive("is the program when it is installed, with its version", () =>
    Effect.gen(function*() {
      const { binary } = yield* fakeEspeak("speaks")
      assert.deepStrictEqual(yield* SpeechEspeak.describe({ binary }), {
        kind: "binary",
        version: "1.99-test",
        message: `espeak-ng 1.99-test, the program ${binary}`
      })
    }))

  it.live("is not a program that is missing, or another one", () =>
    Effect.gen(function*() {
      for (const binary of ["/nowhere/espeak-ng", "no-such-espeak", process.execPath, "/"]) {
        assert.isTrue(Option.isNone(yield* findBinary(binary)), binary)
      }
    }))

  it.scopedLive("has the English of India if there is one", () =>
    Effect.gen(function*() {
      const [british, indian] = yield* Effect.forEach(["speaks", "indian"], fakeEspeak)
      assert.deepInclude(yield* Effect.flatten(findBinary(british?.binary ?? "")), { english: "en" })
      assert.deepInclude(yield* Effect.flatten(findBinary(indian?.binary ?? "")), { english: "gmw/en-IN" })
    }))

  it.scopedLive("is looked for once, at the first utterance, also when that is interrupted", () =>
    Effect.gen(function*() {
      const { binary, noted } = yield* fakeEspeak("speaks")
      yield* Effect.gen(function*() {
        yield* Synthesizer
        assert.deepStrictEqual(noted("searches"), [])
        const first = yield* Effect.fork(spoken(saying("One")))
        yield* until(() => noted("searches").length > 0)
        yield* Fiber.interrupt(first)
        yield* Effect.all([spoken(saying("Two")), spoken(saying("Three"))], { concurrency: "unbounded" })
        assert.deepStrictEqual(noted("searches"), ["search"])
      }).pipe(Effect.provide(SpeechEspeak.layer({ binary })))
    }))

  it.effect("is none when nothing is installed: utterances fail with a message that says what to install", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(spoken(saying("नमस्ते")))
      assert.deepInclude(failure, { _tag: "ModelUnavailable", lasting: true })
      assert.include(failure.message, "apt install espeak-ng")
      assert.include(failure.message, "@echogarden/espeak-ng-emscripten")
      assert.strictEqual(describeEspeak({ kind: "none" }).message, failure.message)
    }).pipe(Effect.provide(espeakSynthesizer({ kind: "none" }, {}))))

  it.effect("matches pitch and rate, and is not called cloning", () =>
    Effect.gen(function*() {
      const { ability } = yield* Synthesizer
      assert.deepInclude(ability, { engine: "espeak-pitchmatch", cloning: "pitch-rate-match", nativeRate: 22_050 })
      assert.strictEqual(ability.languages.length, 12)
      assert.deepStrictEqual(ability.controls, [])
    }).pipe(Effect.provide(espeakSynthesizer({ kind: "none" }, {}))))
})
