import { assert, describe, it } from "@effect/vitest"
import { synthesizerLaws } from "@trunkline/speech/testing"
import { Effect, Option, Stream } from "effect"
import type { EspeakAudio } from "../src/Engine.js"
import { startEspeakThread, workerEntry } from "../src/EspeakThread.js"
import { findPackage } from "../src/FindEspeak.js"
import { SpeechEspeak } from "../src/index.js"
import { espeakSpeaks } from "./EspeakSpeaks.js"
import { sentences } from "./Sentences.js"

const isThere = Option.isSome(await Effect.runPromise(findPackage))
if (!isThere) console.warn("Skipped: @echogarden/espeak-ng-emscripten is not installed")

describe.skipIf(!isThere)("WebAssembly", () => {
  espeakSpeaks("WebAssembly", SpeechEspeak.layer({ binary: null }))
  synthesizerLaws("espeak-ng, WebAssembly", SpeechEspeak.layer({ binary: null }), { deterministic: false })

  it.live("is used when there is no program", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* SpeechEspeak.describe({ binary: null })).kind, "wasm")
      assert.strictEqual((yield* SpeechEspeak.describe({ binary: "/nowhere/espeak-ng" })).kind, "wasm")
    }))

  const thread = Effect.acquireRelease(
    Effect.sync(() => startEspeakThread(workerEntry, 20_000)),
    ({ end }) => end
  )

  const saying = (text: string) => ({ text, voice: "hi", pitch: 50, wordsPerMinute: 175 })

  it.scopedLive("stops in the middle of an utterance, and speaks again", () =>
    Effect.gen(function*() {
      const { begin, isBroken } = yield* thread
      const long = saying(sentences["hi-IN"].repeat(100))
      for (let round = 0; round < 3; round++) {
        const { audio, end } = begin(long, { audioMillis: 20_000, onDone: () => undefined })
        yield* Stream.runDrain(Stream.take(audio, round * 10 + 1))
        yield* end
        assert.isFalse(isBroken())
      }
    }))

  it.scopedLive("speaks the next utterance while the one before is still read", () =>
    Effect.gen(function*() {
      const { begin } = yield* thread
      const speak = (text: string) =>
        Effect.async<EspeakAudio>((resume) => {
          const { audio } = begin(saying(text), {
            audioMillis: 20_000,
            onDone: () => queueMicrotask(() => resume(Effect.succeed(audio)))
          })
        })
      const samples = (audio: EspeakAudio) => Stream.runFold(audio, 0, (sum, { length }) => sum + length)
      const text = sentences["hi-IN"]
      const alone = yield* samples(yield* speak(text))
      const before = yield* speak(text)
      const { audio } = begin(saying(text), { audioMillis: 20_000, onDone: () => undefined })
      yield* Stream.runDrain(before)
      assert.closeTo(yield* samples(audio), alone, 0.02 * alone)
    }))
})
