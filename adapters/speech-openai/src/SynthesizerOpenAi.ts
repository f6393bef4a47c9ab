import { type Audio, sampleSize, toLinear16, wavHeader } from "@trunkline/audio"
import { BadRequest } from "@trunkline/errors"
import { makeUpstream, type UpstreamOptions, type UpstreamResponse } from "@trunkline/http-client"
import { concatBytes, macroTask, parseJson } from "@trunkline/kernel"
import {
  type Reference,
  type SpeechCapabilities,
  type SpeechFailure,
  type SynthesisInput,
  Synthesizer
} from "@trunkline/speech"
import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { Effect, Layer, Redacted, type Scope, Stream } from "effect"
import { makeAudioReader } from "./AudioReader.js"
import type { DialectInput, PrepareVoice, ResponseFormat, SpeechDialect } from "./SpeechDialect.js"
import { makeVoiceCache } from "./VoiceCache.js"

/** Address, request format and capabilities of a speech server. */
export interface SynthesizerOptions extends UpstreamOptions {
  /** Request format of the server, such as `SpeechDialects.chatterbox()`. */
  readonly dialect: SpeechDialect
  /** Model name, for dialects that send one. Default: none. */
  readonly model?: string
  /** Fixed voice, or one per language, for servers that do not clone. Default: none. */
  readonly voice?: string | Partial<Readonly<Record<LanguageCode, string>>>
  /** Languages of the server. Default: those of the dialect. Other languages fail with `BadRequest`. */
  readonly languages?: SpeechDialect["languages"]
  /** The server's names for languages. Default: the dialect's names, and ISO 639-1 codes for the rest (Odia is `or`). */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string>>>
  /** Names the server in messages. Default: `speech server`. */
  readonly who?: string
  /** Sample rate of headerless audio in hertz; WAV files are resampled to it. Default: 24000. */
  readonly nativeRate?: number
  /** Audio format to request. Default: `pcm`. */
  readonly responseFormat?: ResponseFormat
  /** True when the server controls the pace itself. Default: as in the dialect. */
  readonly pace?: boolean
  /**
   * Voice of utterances without a reference, for dialects that clone. Default: the server's own voice, or a failure with
   * `BadRequest` for dialects that have none.
   */
  readonly reference?: Reference
}

const defaultName = "speech server"

/** Options of the client: the dialect says how the key is sent. */
const upstreamOptionsOf = (options: SynthesizerOptions): UpstreamOptions => {
  const { apiKey, dialect: { faultOf, headers: headersOf }, headers, ...rest } = options
  if (headersOf === undefined) return { ...options, faultOf: faultOf ?? options.faultOf }
  const key = apiKey === undefined ? null : Redacted.value(apiKey)
  return { ...rest, faultOf: faultOf ?? options.faultOf, headers: { ...headersOf(key), ...headers } }
}

/** Longest audio of an utterance in seconds; more is a runaway model. */
const maxSeconds = 600

/** Seconds of audio buffered ahead of a slow reader: longer than any clause. */
const readAheadSeconds = 30

/** Largest response that describes a voice, in bytes. */
const maxVoiceBytes = 4 * 1024 * 1024

const abilityOf = ({ dialect, languages, nativeRate = 24_000, pace }: SynthesizerOptions): SpeechCapabilities => ({
  engine: dialect.name,
  cloning: dialect.cloning,
  languages: languages ?? dialect.languages,
  nativeRate,
  controls: pace === undefined ? dialect.controls : pace ? ["pace"] : []
})

const clipMissing = new BadRequest({
  message: "This speech engine has no voice of its own: it needs a reference clip",
  param: "voice_id"
})

/** Combines an utterance with the options. */
const dialectInputOf = (
  { dialect, languageNames, model, nativeRate = 24_000, reference: ownVoice, responseFormat = "pcm", voice }:
    SynthesizerOptions
): (utterance: SynthesisInput) => DialectInput => {
  const names = { ...dialect.languageNames, ...languageNames }
  return (utterance) => {
    const reference = utterance.reference ?? ownVoice ?? null
    return {
      ...utterance,
      reference,
      model: model ?? null,
      voice: (typeof voice === "string" ? voice : voice?.[utterance.language]) ?? null,
      languageName: names[utterance.language] ?? isoCode(utterance.language),
      format: responseFormat,
      rate: nativeRate,
      clip: reference === null ? clipMissing : encodeWavClip(reference.audio)
    }
  }
}

/** Samples encoded before yielding to the event loop: a millisecond of work, since many clips may be encoded at once. */
const samplesPerTurn = 65_536

/** Encodes audio as a WAV file: 16 bit, mono, at its own rate. Yields to the event loop between slices. */
const encodeWavClip = ({ rate, samples }: Audio): Effect.Effect<Uint8Array> =>
  Effect.gen(function*() {
    const parts = [wavHeader({ rate, samples: samples.length })]
    for (let at = 0; at < samples.length; at += samplesPerTurn) {
      parts.push(toLinear16(samples.subarray(at, at + samplesPerTurn)))
      yield* macroTask
    }
    return concatBytes(parts)
  })

/** Decodes the audio of a response at `rate`. Fails when it has no audio or more than ten minutes. */
const decodeAudio = (
  { bytes, headers, invalid }: UpstreamResponse,
  { ignoresAudioType, promised, rate }: {
    readonly promised: ResponseFormat
    readonly rate: number
    readonly ignoresAudioType: boolean
  }
): Stream.Stream<Float32Array, SpeechFailure> => {
  const type = headers["content-type"]?.toLowerCase() ?? ""
  const reader = makeAudioReader({ promised, rate, type: ignoresAudioType && type.startsWith("audio/") ? "" : type })
  let length = 0
  const audio = bytes.pipe(
    Stream.map(reader.push),
    Stream.concat(Stream.sync(reader.end)),
    Stream.mapEffect((read) => Effect.catchAll(read, invalid)),
    Stream.filter((samples) => samples.length > 0),
    Stream.tap((samples) => {
      length += samples.length
      return length > maxSeconds * rate ? invalid("endless sound") : Effect.void
    })
  )
  return Stream.concat(audio, Stream.suspend(() => length > 0 ? Stream.empty : Stream.fromEffect(invalid("no sound"))))
}

/**
 * Makes a `Synthesizer` backed by a server that implements OpenAI's speech API, or a dialect of it that clones voices.
 *
 * Audio is passed on as it arrives and buffered up to 30 seconds ahead of the reader, counted as 16 bit samples (1.4 MB at
 * 24 kHz), so that a stalled reader does not hold a slot: the slot is free once the whole response has arrived. Beyond
 * that a slow reader slows the server down. Interruption closes the connection. A request may be retried once until the
 * first byte arrives; a response that breaks off later, or is not audio, fails with `ModelFailed`. Texts, clips and server
 * messages are neither logged nor repeated in errors. Dies on an invalid `baseUrl`.
 *
 * @example
 * ```ts
 * const synthesizer = SynthesizerOpenAi.layer({
 *   baseUrl: "http://127.0.0.1:4123/v1",
 *   dialect: SpeechDialects.chatterbox()
 * })
 * ```
 */
export const make = (options: SynthesizerOptions): Effect.Effect<Synthesizer["Type"], never, Scope.Scope> =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(options.who ?? defaultName, upstreamOptionsOf(options))
    const ability = abilityOf(options)
    const toInput = dialectInputOf(options)
    const cache = makeVoiceCache()
    const aheadBytes = readAheadSeconds * ability.nativeRate * sampleSize("s16")

    const prepareVoice: PrepareVoice = (reference, request, isValid) => {
      const prepare = Effect.gen(function*() {
        const answer = yield* upstream.post({ ...yield* request, accept: "application/json" })
        const json = parseJson(new TextDecoder().decode(yield* answer.whole(maxVoiceBytes)))
        return isValid(json) ? json : yield* answer.invalid("no such JSON")
      })
      return reference === null ? clipMissing : cache(reference, Effect.scoped(prepare), isValid)
    }

    const speak = (utterance: SynthesisInput) =>
      Stream.unwrapScoped(Effect.gen(function*() {
        const { language } = utterance
        if (!ability.languages.includes(language)) {
          const message = `The speech engine does not speak ${language}`
          return yield* new BadRequest({ message, param: "language_code" })
        }
        const release = yield* upstream.slot
        const input = toInput(utterance)
        const { ignoresAudioType = false, responseFormat: promisedFormat = input.format, body, path } = yield* options
          .dialect
          .request(input, prepareVoice)
        const answer = yield* upstream.post({ path, body, accept: "audio/*, */*;q=0.5", aheadBytes })
        answer.onSettled(release)
        return decodeAudio(answer, { promised: promisedFormat, ignoresAudioType, rate: ability.nativeRate })
      }))

    return Synthesizer.of({ ability, speak })
  })

/** Layer of `make`; its connections close with the layer. */
export const layer = (options: SynthesizerOptions): Layer.Layer<Synthesizer> => Layer.scoped(Synthesizer, make(options))
