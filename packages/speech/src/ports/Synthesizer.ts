import type { Sound } from "@trunkline/audio"
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
 * How a speech engine fails: it cannot be reached or is overloaded, it failed, its provider has had enough, it takes
 * too long, or it cannot do what is asked. Each has its code in the specification's table of errors.
 */
export type SpeechFailure = ModelUnavailable | ModelFailed | ModelRateLimited | ModelTimedOut | BadRequest

/**
 * How near an engine comes to the voice of a clip: not at all, in pitch and speaking rate only (it does not sound like
 * the speaker), or in its timbre, from the clip alone (decisions 14).
 */
export type Cloning = "none" | "pitch-rate-match" | "zero-shot"

/** What a speech engine is and can do. */
export interface SpeechAbility {
  /** Its name in logs and start-up lines, such as `espeak-pitchmatch`. */
  readonly engine: string
  readonly cloning: Cloning
  readonly languages: ReadonlyArray<LanguageCode>
  /** The samples per second that it gives. */
  readonly nativeRate: number
  /** What it can change by itself; what it cannot is done to its sound afterwards. */
  readonly controls: ReadonlyArray<"pace">
}

/** The voice to speak with. */
export interface Reference {
  /** The clip. Its length, in an engine's eyes, is `seconds`. */
  readonly sound: Sound
  /** The clip's length in seconds, which a caller may have corrected. */
  readonly seconds: number
  /** What is said in it; null when nobody knows. */
  readonly text: string | null
  /** What it is spoken in; null when nobody said. */
  readonly language: LanguageCode | null
  /** The same for every request with this saved voice, for engines that keep voices; null for a clip of one request. */
  readonly voice_id: string | null
}

/** Something to say. */
export interface Utterance {
  /** A clause or a sentence: words only, when normalisation is on. */
  readonly text: string
  readonly language: LanguageCode
  /** 0.5 to 2, 1 is natural; always 1 for an engine without this control. */
  readonly pace: number
  readonly reference: Reference
  /** 0, and 1 for the second take of something that did not come out well: engines that draw lots draw others. */
  readonly take: number
}

/** Speaks. Interrupting it stops the work. */
export class Synthesizer extends Context.Tag("@trunkline/speech/Synthesizer")<Synthesizer, {
  readonly ability: SpeechAbility
  /** The sound at `nativeRate`, as soon as there is some. It fails rather than end early. */
  readonly speak: (utterance: Utterance) => Stream.Stream<Float32Array, SpeechFailure>
}>() {
  /** No engine: every utterance fails with `ModelUnavailable`. */
  static readonly layerNone = Layer.succeed(Synthesizer, {
    ability: { engine: "none", cloning: "none", languages: LanguageCode.literals, nativeRate: 24_000, controls: [] },
    speak: () => Stream.fail(new ModelUnavailable({ message: "No speech engine is set up", lasting: true }))
  })
}
