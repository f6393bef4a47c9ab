import type { Body } from "@trunkline/http-upstream"
import type { Cloning, Reference, SpeechAbility, SpeechFailure, Utterance } from "@trunkline/speech"
import type { LanguageCode } from "@trunkline/spoken-text"
import type { Effect } from "effect"

/** What sound a server is asked for: bare 16 bit samples, little endian, one channel; or a WAV file. */
export type ResponseFormat = "pcm" | "wav"

/** What every request is made from, beside the utterance: what the options say. */
export interface DialectInput extends Utterance {
  /** Null when none is named. */
  readonly model: string | null
  /** The fixed voice for this language; null when there is none. */
  readonly voice: string | null
  /** What the server calls the language. */
  readonly languageName: string
  readonly format: ResponseFormat
  /** The clip of the reference as a WAV file: 16 bit, one channel, at its own rate. */
  readonly clip: Effect.Effect<Uint8Array>
}

/** What a server is posted for one utterance. */
export interface SpeechRequest {
  /** What comes after the base URL, such as `/audio/speech`. */
  readonly path: string
  readonly body: Body
  /** What it answers with, where that is not the format that was asked for. WAV is known by itself where `pcm` is promised. */
  readonly responseFormat?: ResponseFormat
}

/**
 * Posts what a server is to learn of a voice before it speaks with it, and gives the JSON that it answers with, at most
 * 4 MB; `isAnswer` tells whether that makes sense. The same answer serves the same voice for ten minutes.
 */
export type PrepareVoice = <A>(
  reference: Reference,
  request: Effect.Effect<Omit<SpeechRequest, "answers">>,
  isAnswer: (json: unknown) => json is A
) => Effect.Effect<A, SpeechFailure>

/**
 * How servers of one kind are asked. One for another kind takes a name, what it can do, and a `request`; that may do
 * work of its own, such as putting the clip where a server can fetch it that takes nothing but URLs.
 */
export interface SpeechDialect extends Pick<SpeechAbility, "languages" | "controls"> {
  /** The engine's name in logs and start-up lines. */
  readonly name: string
  readonly cloning: Cloning
  /** What the server calls languages, where that is not their ISO 639-1 code. */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string>>>
  /** What to post; fails with `BadRequest` where the utterance lacks what the server needs. */
  readonly request: (saying: DialectInput, learn: PrepareVoice) => Effect.Effect<SpeechRequest, SpeechFailure>
}

/** What an embedder may say of the servers of a kind; models behind one interface differ. */
export interface DialectOptions {
  /** What comes after the base URL. Default: where servers of the kind have it. */
  readonly path?: string
  /** Default: those of the model that the kind is named after. */
  readonly languages?: SpeechDialect["languages"]
  /** Fields for every request, beside those that exist, never in their place. Default: none. */
  readonly extra?: Readonly<Record<string, unknown>>
}
