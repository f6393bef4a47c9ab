import type { Audio } from "@trunkline/audio"
import { ModelUnavailable } from "@trunkline/errors"
import type { LanguageCode } from "@trunkline/spoken-text"
import { Context, type Effect, Layer } from "effect"
import type { SpeechFailure } from "./Synthesizer.js"

/**
 * Port of a speech-to-text engine.
 *
 * @example
 * ```ts
 * const layer = Layer.succeed(Transcriber, {
 *   available: true,
 *   transcribe: (audio, { language }) => myRecognizer.recognize(audio, language)
 * })
 * ```
 */
export class Transcriber extends Context.Tag("@trunkline/speech/Transcriber")<Transcriber, {
  /** False when no engine is set up: clips then have no transcript, and quality checks look at the audio alone. */
  readonly available: boolean
  /** Transcribes audio; an empty text when nothing is said. `language` is the spoken language, or null when unknown. */
  readonly transcribe: (
    audio: Audio,
    options: { readonly language: LanguageCode | null }
  ) => Effect.Effect<string, SpeechFailure>
}>() {
  /** No engine: every transcription fails with `ModelUnavailable`. */
  static readonly layerNone = Layer.succeed(Transcriber, {
    available: false,
    transcribe: () => new ModelUnavailable({ message: "No transcriber is set up", lasting: true })
  })
}
