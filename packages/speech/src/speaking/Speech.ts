import { AudioCodecs, durationOf } from "@trunkline/audio"
import { type BadRequest, ModelUnavailable } from "@trunkline/errors"
import { Ids, Transactions } from "@trunkline/kernel"
import { type LanguageCode, TextNormalizer } from "@trunkline/spoken-text"
import { Context, Effect, Layer, type Scope, type Stream } from "effect"
import { badRequest } from "../forms/FormErrors.js"
import type { GenerateRequest, VoiceSource } from "../forms/GenerateForm.js"
import type { StreamRequest } from "../forms/StreamForm.js"
import { QualityCheck } from "../quality/QualityCheck.js"
import { type Reference, type SpeechCapabilities, type SpeechFailure, Synthesizer } from "../Synthesizer.js"
import { Transcriber } from "../Transcriber.js"
import { decodeReference, maxReferenceSeconds } from "../voices/DecodeReference.js"
import { Voices } from "../voices/Voices.js"
import { VoiceStore } from "../voices/VoiceStore.js"
import { makeScript, type SpeechScript } from "./Script.js"
import { speakStream } from "./SpeakStream.js"
import { type GeneratedSpeech, maxSpeechSeconds, speakWhole } from "./SpeakWhole.js"
import { payAfter, type SpeechMeter, type SpeechRequestFailure } from "./SpeechMeter.js"

/** Options of `Speech.layer`. */
export interface SpeechOptions {
  /**
   * Accepts an engine that matches only pitch and rate in place of one that clones. Such a voice does not sound like the
   * speaker. Default: false, which fails with `ModelUnavailable`.
   */
  readonly allowPitchRateMatch?: boolean
  /** Writes numbers and the like out in words where a request does not choose. Default: true. */
  readonly normalize?: boolean
}

/**
 * Speaks texts with cloned voices, as a stream or in one piece. Interrupting the caller stops the engine.
 *
 * @example
 * ```ts
 * const { stream } = yield* Speech
 * const bytes = yield* stream("acme", request, unmeteredSpeech)
 * ```
 */
export class Speech extends Context.Tag("@trunkline/speech/Speech")<Speech, {
  /** The capabilities of the engine. */
  readonly ability: SpeechCapabilities
  /** Streams encoded speech. Completes with the first bytes; a later error fails the stream. */
  readonly stream: (
    account_id: string,
    request: StreamRequest,
    meter: SpeechMeter
  ) => Effect.Effect<Stream.Stream<Uint8Array, SpeechFailure>, SpeechRequestFailure, Scope.Scope>
  /** Generates a speech of at most 300 seconds in one piece. A failure costs nothing. */
  readonly generate: (
    account_id: string,
    request: GenerateRequest,
    meter: SpeechMeter
  ) => Effect.Effect<GeneratedSpeech, SpeechRequestFailure>
}>() {
  /** Speaks through `Synthesizer` with the voices of `Voices`. */
  static readonly layer = (options: SpeechOptions = {}) => Layer.effect(Speech, make(options))

  /** Speech and voices in memory, without a transcriber. Requires `Synthesizer` and `AudioCodecs`. */
  static readonly layerMemory = (options: SpeechOptions = {}) =>
    Speech.layer(options).pipe(
      Layer.provideMerge(Layer.merge(Voices.layer, QualityCheck.layer)),
      Layer.provide(Layer.mergeAll(
        Layer.provideMerge(VoiceStore.layerMemory, Transactions.layerMemory),
        TextNormalizer.layer,
        Transcriber.layerNone,
        Ids.layer
      ))
    )
}

const make = (options: SpeechOptions) =>
  Effect.gen(function*() {
    const synthesizer = yield* Synthesizer
    const transcriber = yield* Transcriber
    const normalizer = yield* TextNormalizer
    const quality = yield* QualityCheck
    const codecs = yield* AudioCodecs
    const voices = yield* Voices
    const capacity = yield* Effect.makeSemaphore(maxConcurrentSeconds)

    const scriptOf = ({ language, normalize, text }: Pick<StreamRequest, "language" | "normalize" | "text">) =>
      makeScript({ text, language, normalizer: normalize ?? options.normalize ?? true ? normalizer : null })

    /** Decodes a clip sent with the request, and transcribes it when the request has no transcript. */
    const referenceFrom = ({ clip, text }: Extract<VoiceSource, { readonly kind: "clip" }>) =>
      Effect.gen(function*() {
        const recording = yield* decodeReference(codecs, clip, { param: "ref_audio", maxSeconds: maxReferenceSeconds })
        const transcript = text === null && transcriber.available
          ? yield* transcriber.transcribe(recording, { language: null })
          : text
        const reference: Reference = {
          audio: recording,
          seconds: durationOf(recording),
          text: transcript,
          language: null,
          voice_id: null
        }
        return reference
      })

    const stream = (account_id: string, request: StreamRequest, meter: SpeechMeter) =>
      Effect.gen(function*() {
        yield* checkEngine(synthesizer.ability, options, request.language)
        const reference = yield* voices.reference(account_id, request.voice_id)
        return yield* speakStream({ codecs, synthesizer }, {
          request,
          meter,
          reference,
          script: yield* scriptOf(request)
        })
      })

    const generate = (account_id: string, request: GenerateRequest, meter: SpeechMeter) =>
      Effect.gen(function*() {
        const { source } = request
        yield* checkEngine(synthesizer.ability, options, request.language)
        const script = yield* scriptOf(request)
        const getReference = source.kind === "voice"
          ? Effect.succeed(yield* voices.reference(account_id, source.voice_id))
          : referenceFrom(source)
        const work = Effect.flatMap(getReference, (savedReference) => {
          const reference = { ...savedReference, seconds: request.referenceSeconds ?? savedReference.seconds }
          return speakWhole({ codecs, quality, synthesizer }, { request, script, reference })
        })
        return yield* payAfter(meter, script.characters, capacity.withPermits(estimateSeconds(request, script))(work))
      }).pipe(Effect.scoped, Effect.withSpan("Speech.generate"))

    return Speech.of({ ability: synthesizer.ability, stream, generate })
  })

/** Fails unless the engine clones voices, or is allowed to match pitch and rate alone, and speaks the language. */
const checkEngine = (
  { cloning, languages }: SpeechCapabilities,
  { allowPitchRateMatch = false }: SpeechOptions,
  language: LanguageCode
): Effect.Effect<void, ModelUnavailable | BadRequest> => {
  if (cloning !== "zero-shot" && !(cloning === "pitch-rate-match" && allowPitchRateMatch)) {
    return new ModelUnavailable({ message: "No speech engine that clones voices is set up", lasting: true })
  }
  return languages.includes(language)
    ? Effect.void
    : badRequest("language_code", `The speech engine does not speak ${language}`)
}

/** Seconds of whole speeches generated concurrently; further requests wait. Each second takes about 2 MB. */
const maxConcurrentSeconds = 4 * maxSpeechSeconds

/** Letters per second of slow speech. */
const slowLettersPerSecond = 8

/** Rough upper estimate of a speech's duration. */
const estimateSeconds = ({ bounds, pace }: GenerateRequest, { clauses }: SpeechScript): number => {
  const letters = clauses.reduce((sum, { length }) => sum + length, 0)
  return Math.min(maxSpeechSeconds, Math.ceil(Math.max(letters / slowLettersPerSecond / pace, bounds.min ?? 0)))
}
