import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
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

  it.scopedLive("stops in the midst by itself, and speaks again", () =>
    Effect.gen(function*() {
      const grace = 20_000
      const thread = yield* Effect.acquireRelease(
        Effect.sync(() => startThread(ownEntry, grace)),
        ({ end }) => Effect.promise(end)
      )
      const long = { text: sentences["hi-IN"].repeat(100), voice: "hi", pitch: 50, wordsPerMinute: 175 }
      for (let round = 0; round < 3; round++) {
        const { end, sound } = thread.begin(long, { limit: 20_000, onGone: () => undefined })
        yield* Stream.runDrain(Stream.take(sound, round * 10 + 1))
        yield* end
        assert.isFalse(thread.isBroken())
      }
    }))
})
