import { assert, describe, it } from "@effect/vitest"
import { modemVoice, phraseBook, Transcriber } from "@trunkline/speech"
import { Effect, Layer } from "effect"
import { spokenBy } from "./modem/ModemSpeech.js"

/** Tones of the modem voice for short texts are nearer to each other than speech is, so this one is longer. */
const unknown = "I need more time to think about what you have said."

describe("a phrase book", () => {
  it.effect("tells its phrases apart, at the rate of the telephone too, and knows no others", () =>
    Effect.gen(function*() {
      const { transcribe } = yield* Transcriber
      for (const nativeRate of [8_000, 24_000]) {
        for (const text of ["Yes, please do.", "No, thank you.", unknown]) {
          const transcript = yield* transcribe(yield* spokenBy({ nativeRate })(text), { language: null })
          assert.strictEqual(transcript, text === unknown ? "" : text)
        }
      }
      assert.strictEqual(yield* transcribe({ rate: 8_000, samples: new Float32Array(8_000) }, { language: null }), "")
    }).pipe(Effect.provide(phraseBook(["Yes, please do.", "No, thank you."]).pipe(Layer.provide(modemVoice())))))

  it.effect("is refused with more than 64 phrases", () =>
    Effect.gen(function*() {
      const phrases = Array.from({ length: 65 }, (_, at) => `number ${at}`)
      const book = phraseBook(phrases).pipe(Layer.provide(modemVoice()))
      assert.strictEqual((yield* Effect.flip(Layer.build(book)))._tag, "BadRequest")
    }).pipe(Effect.scoped))
})
