import { ModelFailed } from "@trunkline/errors"
import { type SpeechAbility, Synthesizer, type Utterance } from "@trunkline/speech"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Layer, Stream } from "effect"
import { espeakRate, type EspeakSound } from "./engine/Engine.js"
import { engineOf } from "./engine/EngineOf.js"
import type { FoundEspeak } from "./engine/FindEspeak.js"
import { makeKnownTraits } from "./matching/KnownTraits.js"
import { mannerOf } from "./matching/Manner.js"
import { limitsOf, type SpeechEspeakOptions } from "./SpeechEspeakOptions.js"
import { closingPause } from "./text/ClosingPause.js"
import { hasWords, speakable } from "./text/Speakable.js"

const ability: SpeechAbility = {
  engine: "espeak-pitchmatch",
  cloning: "pitch-rate-match",
  languages: LanguageCode.literals,
  nativeRate: espeakRate,
  controls: []
}

const silence = (seconds: number) => new Float32Array(Math.round(seconds * espeakRate))

/** What is given, in seconds of silence, for a text in which nothing is to be said, such as one of emoji. */
const nothing = 0.2

/** Louder than this is a sound, about -50 dB of full scale. */
const audible = 0.003

const silent = new ModelFailed({ message: "espeak-ng gave no sound" })

/** A sound as it is, but for one in which nothing is to be heard: that fails in the end. */
const heard = (sound: EspeakSound): EspeakSound =>
  Stream.suspend(() => {
    let isHeard = false
    return sound.pipe(
      Stream.tap((samples) => Effect.sync(() => isHeard ||= samples.some((sample) => Math.abs(sample) > audible))),
      Stream.concat(Stream.suspend(() => isHeard ? Stream.empty : Stream.fail(silent)))
    )
  })

const scaled = (gain: number) => (samples: Float32Array) => samples.map((sample) => sample * gain)

/** Speaks by the espeak that was found. */
export const espeakSynthesizer = (found: FoundEspeak, options: SpeechEspeakOptions): Layer.Layer<Synthesizer> =>
  Layer.scoped(
    Synthesizer,
    Effect.gen(function*() {
      const engine = yield* engineOf(found, limitsOf(options))
      const traits = makeKnownTraits()

      const speak = ({ language, reference, text }: Utterance): EspeakSound =>
        Stream.unwrap(Effect.gen(function*() {
          const words = speakable(text, language)
          if (!hasWords(words)) return Stream.make(silence(nothing))
          const { gain, ...manner } = mannerOf(yield* traits.of(reference), language, engine.english)
          const pause = silence(closingPause(words, manner.wordsPerMinute))
          return engine.speak({ ...manner, text: words }).pipe(
            Stream.map(scaled(gain)),
            heard,
            Stream.concat(pause.length > 0 ? Stream.make(pause) : Stream.empty)
          )
        }))

      return { ability, speak }
    })
  )
