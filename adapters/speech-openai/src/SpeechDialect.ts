import type { BadRequest } from "@trunkline/errors"
import type { FaultReader, UpstreamBody } from "@trunkline/http-client"
import type { Cloning, Reference, SpeechCapabilities, SpeechFailure, SynthesisInput } from "@trunkline/speech"
import type { LanguageCode } from "@trunkline/spoken-text"
import type { Effect } from "effect"

/** Audio format of a response: `pcm` is headerless 16 bit little-endian mono, `wav` a WAV file. */
export type ResponseFormat = "pcm" | "wav"

/** Input of a dialect: the utterance, and what the options of the synthesizer add to it. */
export interface DialectInput extends SynthesisInput {
  /** Model name; null when the options have none. */
  readonly model: string | null
  /** Fixed voice for the language; null when the options have none. */
  readonly voice: string | null
  /** The server's name for the language. */
  readonly languageName: string
  readonly format: ResponseFormat
  /** Samples per second to request, for servers that can be told. */
  readonly rate: number
  /**
   * Encodes the reference clip as a WAV file: 16 bit, mono, at its own rate. Fails with `BadRequest` for an utterance without
   * a reference.
   */
  readonly clip: Effect.Effect<Uint8Array, BadRequest>
}

/** The request that a server receives for one utterance. */
export interface SpeechRequest {
  /** Path after the base URL, such as `/audio/speech`. */
  readonly path: string
  readonly body: UpstreamBody
  /** Format of the response where it is not the requested one. A WAV file is recognized in place of `pcm`. */
  readonly responseFormat?: ResponseFormat
  /** True when the content type of a sound tells nothing about its format. Default: false. */
  readonly ignoresAudioType?: boolean
}

/**
 * Sends a request that prepares a voice before it is spoken with, and returns the JSON response of at most 4 MB, validated
 * by `isValid`. The response is cached per voice for ten minutes. Fails with `BadRequest` without a reference.
 */
export type PrepareVoice = <A>(
  reference: Reference | null,
  request: Effect.Effect<Omit<SpeechRequest, "answers">, BadRequest>,
  isValid: (json: unknown) => json is A
) => Effect.Effect<A, SpeechFailure>

/**
 * The request format of one kind of speech server. Implement it for other servers: a name, the capabilities, and a
 * `request`, which may do work of its own, such as uploading the clip for a server that accepts only URLs.
 *
 * @example
 * ```ts
 * const mine: SpeechDialect = {
 *   name: "mine",
 *   cloning: "none",
 *   languages: ["en-IN"],
 *   controls: [],
 *   request: ({ text }) => Effect.succeed({ path: "/say", body: { text } })
 * }
 * ```
 */
export interface SpeechDialect extends Pick<SpeechCapabilities, "languages" | "controls"> {
  /** Name of the engine in logs and start-up lines. */
  readonly name: string
  readonly cloning: Cloning
  /** The server's names for languages where they are not ISO 639-1 codes. */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string>>>
  /** Headers that carry the key, and others that every request needs. Default: `Authorization: Bearer`. */
  readonly headers?: (apiKey: string | null) => Readonly<Record<string, string>>
  /** Reads why the server refused a request. Default: the status alone tells. */
  readonly faultOf?: FaultReader
  /** Makes the request of an utterance. Fails with `BadRequest` when the utterance lacks what the server requires. */
  readonly request: (input: DialectInput, prepareVoice: PrepareVoice) => Effect.Effect<SpeechRequest, SpeechFailure>
}

/** Options of the built-in dialects, since models behind the same interface differ. */
export interface DialectOptions {
  /** Path after the base URL. Default: the server's usual one. */
  readonly path?: string
  /** Languages of the model. Default: those of the server's published model. */
  readonly languages?: SpeechDialect["languages"]
  /** Additional fields of every request; they never replace the dialect's own. Default: none. */
  readonly extra?: Readonly<Record<string, unknown>>
}
