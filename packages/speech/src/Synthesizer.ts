import type { Audio } from "@trunkline/audio"
import {
  type BadRequest,
  type ModelFailed,
  type ModelRateLimited,
  type ModelTimedOut,
  ModelUnavailable
} from "@trunkline/errors"
import { LanguageCode } from "@trunkline/spoken-text"
import { Context, Layer, Stream } from "effect"

/**
 * Errors of a speech engine: it is unreachable or overloaded, it failed, its provider limits the rate, it took too long,
 * or it does not support what the request asks for.
 */
export type SpeechFailure = ModelUnavailable | ModelFailed | ModelRateLimited | ModelTimedOut | BadRequest

/**
 * Similarity of an engine's voice to that of a clip:
 *
 * - `none`: not at all.
 * - `pitch-rate-match`: pitch and speaking rate only; it does not sound like the speaker.
 * - `zero-shot`: the timbre too, from the clip alone.
 */
export type Cloning = "none" | "pitch-rate-match" | "zero-shot"

/** The capabilities of a speech engine. */
export interface SpeechCapabilities {
  /** Name of the engine in logs and start-up lines, such as `espeak-pitchmatch`. */
  readonly engine: string
  readonly cloning: Cloning
  readonly languages: ReadonlyArray<LanguageCode>
  /** Sample rate of the engine's output in hertz. */
  readonly nativeRate: number
  /** Parameters that the engine controls itself; the others are applied to its output. */
  readonly controls: ReadonlyArray<"pace">
}

/** The voice to speak with, as a reference clip. */
export interface Reference {
  /** The decoded clip. */
  readonly audio: Audio
  /** Length of the clip in seconds as engines should see it; a client may have overridden it. */
  readonly seconds: number
  /** The transcript of the clip; null when unknown. */
  readonly text: string | null
  /** The language of the clip; null when unknown. */
  readonly language: LanguageCode | null
  /** Id of the saved voice, for engines that cache voices; null for a clip of a single request. */
  readonly voice_id: string | null
}

/** One piece of text to speak. */
export interface SynthesisInput {
  /** A clause or a sentence, without figures when normalization is on. */
  readonly text: string
  readonly language: LanguageCode
  /** Speaking rate, 0.5 to 2, where 1 is natural; always 1 for engines that do not control the pace. */
  readonly pace: number
  /** The voice to speak with; null for the engine's own voice. */
  readonly reference: Reference | null
  /** 0, or 1 for the second take after a failed quality check; randomized engines use it as a seed. */
  readonly take: number
}

/**
 * Port of a text-to-speech engine.
 *
 * @example
 * ```ts
 * const layer = Layer.succeed(Synthesizer, {
 *   ability: { engine: "mine", cloning: "zero-shot", languages: ["en-IN"], nativeRate: 24_000, controls: [] },
 *   speak: ({ text, reference }) => myEngine.stream(text, reference?.audio)
 * })
 * ```
 */
export class Synthesizer extends Context.Tag("@trunkline/speech/Synthesizer")<Synthesizer, {
  readonly ability: SpeechCapabilities
  /**
   * Streams mono samples from -1 to 1 at `nativeRate` as they are made. An incomplete utterance ends with a failure.
   * Interruption stops the engine's work. Without a reference, an engine that has no voice of its own fails with
   * `BadRequest`.
   */
  readonly speak: (utterance: SynthesisInput) => Stream.Stream<Float32Array, SpeechFailure>
}>() {
  /** No engine: every utterance fails with `ModelUnavailable`. */
  static readonly layerNone = Layer.succeed(Synthesizer, {
    ability: { engine: "none", cloning: "none", languages: LanguageCode.literals, nativeRate: 24_000, controls: [] },
    speak: () => Stream.fail(new ModelUnavailable({ message: "No speech engine is set up", lasting: true }))
  })
}
