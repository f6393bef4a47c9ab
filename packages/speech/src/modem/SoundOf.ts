import { concatSamples, makeResampler } from "@trunkline/audio"
import type { LanguageCode } from "@trunkline/spoken-text"
import { Chunk, Effect, Stream } from "effect"
import { type SpeechFailure, Synthesizer } from "../Synthesizer.js"

/** Options of `soundOf`. */
export interface SoundOptions {
  /** Sample rate in hertz. Default: 8,000, that of a telephone. */
  readonly rate?: number
  /** Default: `en-IN`. */
  readonly language?: LanguageCode
  /** Speaking rate, 0.5 to 2, for synthesizers that control it. Default: 1. */
  readonly pace?: number
}

/**
 * Sound of words that the synthesizer speaks with its own voice, such as those of a caller in a test.
 *
 * @example
 * ```ts
 * const sound = soundOf("Are you open?").pipe(Effect.provide(modemVoice()))
 * ```
 */
export const soundOf = (
  words: string,
  { language = "en-IN", pace = 1, rate = 8_000 }: SoundOptions = {}
): Effect.Effect<Float32Array, SpeechFailure, Synthesizer> =>
  Effect.gen(function*() {
    const { ability, speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(speak({ text: words, language, pace, reference: null, take: 0 }))
    const { end, push } = makeResampler({ from: ability.nativeRate, to: rate })
    return concatSamples([push(concatSamples(Chunk.toReadonlyArray(pieces))), end()])
  })
