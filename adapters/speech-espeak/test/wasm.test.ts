import { assert, describe, it } from "@effect/vitest"
import { synthesizerLaws } from "@trunkline/speech/testing"
import { Effect, Option, Stream } from "effect"
import type { EspeakSound } from "../src/engine/Engine.js"
import { SpeechEspeak } from "../src/index.js"
import { ownEntry } from "../src/OwnEntry.js"
import { startThread } from "../src/wasm/EspeakThread.js"
import { findPackage } from "../src/wasm/FindPackage.js"
import { espeakSpeaks } from "./EspeakSpeaks.js"
import { sentences } from "./Sentences.js"

const isThere = Option.isSome(await Effect.runPromise(findPackage))
if (!isThere) console.warn("Skipped: @echogarden/espeak-ng-emscripten is not installed")

describe.skipIf(!isThere)("WebAssembly", () => {
  espeakSpeaks("WebAssembly", SpeechEspeak.layer({ binary: null }))
  synthesizerLaws("espeak-ng, WebAssembly", SpeechEspeak.layer({ binary: null }), { deterministic: false })

  const thread = Effect.acquireRelease(
    Effect.sync(() => startThread(ownEntry, 20_000)),
    ({ end }) => Effect.promise(end)
  )

  const saying = (text: string) => ({ text, voice: "hi", pitch: 50, wordsPerMinute: 175 })

  it.scopedLive("stops in the midst by itself, and speaks again", () =>
    Effect.gen(function*() {
      const { begin, isBroken } = yield* thread
      const long = saying(sentences["hi-IN"].repeat(100))
      for (let round = 0; round < 3; round++) {
        const { end, sound } = begin(long, { limit: 20_000, onGone: () => undefined })
        yield* Stream.runDrain(Stream.take(sound, round * 10 + 1))
        yield* end
        assert.isFalse(isBroken())
      }
    }))

  it.scopedLive("says all of the next utterance, while the one before is still read", () =>
    Effect.gen(function*() {
      const { begin } = yield* thread
      const said = (text: string) =>
        Effect.async<EspeakSound>((resume) => {
          const { sound } = begin(saying(text), {
            limit: 20_000,
            onGone: () => queueMicrotask(() => resume(Effect.succeed(sound)))
          })
        })
      const samples = (sound: EspeakSound) => Stream.runFold(sound, 0, (sum, { length }) => sum + length)
      const text = sentences["hi-IN"]
      const alone = yield* samples(yield* said(text))
      const before = yield* said(text)
      const { sound } = begin(saying(text), { limit: 20_000, onGone: () => undefined })
      yield* Stream.runDrain(before)
      assert.closeTo(yield* samples(sound), alone, 0.02 * alone)
    }))
})
