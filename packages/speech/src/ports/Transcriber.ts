import type { Sound } from "@trunkline/audio"
import { ModelUnavailable } from "@trunkline/errors"
import type { LanguageCode } from "@trunkline/spoken-text"
import { Context, type Effect, Layer } from "effect"
import type { SpeechFailure } from "./Synthesizer.js"

/** Writes down what is said in a sound. */
export class Transcriber extends Context.Tag("@trunkline/speech/Transcriber")<Transcriber, {
  /** False when there is nobody who could: then clips have no transcript, and quality is judged by sound alone. */
  readonly available: boolean
  /** The words; empty when nothing is said. `language` is what it is spoken in, or null when nobody knows. */
  readonly transcribe: (
    sound: Sound,
    options: { readonly language: LanguageCode | null }
  ) => Effect.Effect<string, SpeechFailure>
}>() {
  /** Nobody. */
  static readonly layerNone = Layer.succeed(Transcriber, {
    available: false,
    transcribe: () => new ModelUnavailable({ message: "No transcriber is set up", lasting: true })
  })
}
