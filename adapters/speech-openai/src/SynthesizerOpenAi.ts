import { bytesOfSample, joinedBytes, type Sound, toLinear16, wavHeader } from "@trunkline/audio"
import { BadRequest } from "@trunkline/errors"
import { makeUpstream, type UpstreamAnswer, type UpstreamOptions } from "@trunkline/http-upstream"
import { macroTask } from "@trunkline/kernel"
import { type SpeechAbility, type SpeechFailure, Synthesizer, type Utterance } from "@trunkline/speech"
import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { Effect, Layer, type Scope, Stream } from "effect"
import { makeAudioReader } from "./AudioReader.js"
import type { DialectInput, PrepareVoice, ResponseFormat, SpeechDialect } from "./SpeechDialect.js"
import { makeVoiceCache } from "./VoiceCache.js"

/** Where a speech server is, how it is spoken to, and what it can do. */
export interface SynthesizerOptions extends UpstreamOptions {
  /** How it is asked. */
  readonly dialect: SpeechDialect
  /** The model, for dialects that name one. Default: none is named. */
  readonly model?: string
  /** The fixed voice, or one for each language, for servers and moments without cloning. Default: none is named. */
  readonly voice?: string | Partial<Readonly<Record<LanguageCode, string>>>
  /** The languages that it speaks. Default: those of the dialect. Others are refused with `BadRequest`. */
  readonly languages?: SpeechDialect["languages"]
  /** What it calls languages. Default: the dialect's names, and ISO 639-1 codes for the rest, `or` for Odia among them. */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string>>>
  /** The samples per second of what it sends bare; WAV says so itself, and is brought to this rate. Default: 24,000. */
  readonly nativeRate?: number
  /** What it is asked for. Default: `pcm`. */
  readonly responseFormat?: ResponseFormat
  /** Whether it changes the pace by itself. Default: as the dialect says. */
  readonly pace?: boolean
}

const serverName = "speech server"

/** No utterance is spoken for longer, in seconds: a server that goes on has lost itself. */
const maxSeconds = 600

/** How far an answer is read ahead of its listener, in seconds: beyond any clause. */
const readAheadSeconds = 30

/** What a server may answer about a voice. */
const maxVoiceBytes = 4 * 1024 * 1024

const abilityOf = ({ dialect, languages, nativeRate = 24_000, pace }: SynthesizerOptions): SpeechAbility => ({
  engine: dialect.name,
  cloning: dialect.cloning,
  languages: languages ?? dialect.languages,
  nativeRate,
  controls: pace === undefined ? dialect.controls : pace ? ["pace"] : []
})

/** What an utterance comes to under these options. */
const dialectInputOf = (
  { dialect, languageNames, model, responseFormat = "pcm", voice }: SynthesizerOptions
): (utterance: Utterance) => DialectInput => {
  const names = { ...dialect.languageNames, ...languageNames }
  return (utterance) => ({
    ...utterance,
    model: model ?? null,
    voice: (typeof voice === "string" ? voice : voice?.[utterance.language]) ?? null,
    languageName: names[utterance.language] ?? isoCode(utterance.language),
    format: responseFormat,
    clip: encodeWavClip(utterance.reference.sound)
  })
}

/** The value that a JSON text stands for; undefined where it stands for none. */
const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** Samples that are written without a pause: a millisecond's worth, since many may write at once. */
const samplesPerTurn = 65_536

/** A sound as a WAV file: 16 bit, one channel, at its own rate. Others get their turn while it is written. */
const encodeWavClip = ({ rate, samples }: Sound): Effect.Effect<Uint8Array> =>
  Effect.gen(function*() {
    const parts = [wavHeader({ rate, samples: samples.length })]
    for (let at = 0; at < samples.length; at += samplesPerTurn) {
      parts.push(toLinear16(samples.subarray(at, at + samplesPerTurn)))
      yield* macroTask
    }
    return joinedBytes(parts)
  })

/** The sound of an answer, at `rate`. One without any sound makes no sense. */
const decodeAudio = (
  { bytes, headers, nonsense }: UpstreamAnswer,
  { promised, rate }: { readonly promised: ResponseFormat; readonly rate: number }
): Stream.Stream<Float32Array, SpeechFailure> => {
  const reader = makeAudioReader({ promised, rate, type: headers["content-type"]?.toLowerCase() ?? "" })
  let length = 0
  const sound = bytes.pipe(
    Stream.map(reader.push),
    Stream.concat(Stream.sync(reader.end)),
    Stream.mapEffect((read) => Effect.catchAll(read, nonsense)),
    Stream.filter((samples) => samples.length > 0),
    Stream.tap((samples) => {
      length += samples.length
      return length > maxSeconds * rate ? nonsense("endless sound") : Effect.void
    })
  )
  return Stream.concat(sound, Stream.suspend(() => length > 0 ? Stream.empty : Stream.fromEffect(nonsense("no sound"))))
}

/**
 * A voice from a server that speaks OpenAI's speech API, or a dialect of it that clones.
 *
 * Sound is passed on as it arrives, and read up to 30 s ahead of its listener, so that one who stalls keeps nobody waiting:
 * the next utterance has the place as soon as the whole answer is here. (30 s are counted as 16 bit samples, and take 1.4
 * MB at 24 kHz; a WAV file of larger samples is read less far.) Beyond that a slow listener slows the server down. Whoever
 * stops listening breaks the connection. As long as nothing has arrived, a request may be sent once more; after that an answer that breaks off is a
 * `ModelFailed`, and so is one that is no sound. Nothing that is said, and nothing that the server says, is logged or
 * repeated. It dies when it cannot read `baseUrl`.
 */
export const make = (options: SynthesizerOptions): Effect.Effect<Synthesizer["Type"], never, Scope.Scope> =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(serverName, options)
    const ability = abilityOf(options)
    const sayingOf = dialectInputOf(options)
    const learned = makeVoiceCache()
    const aheadBytes = readAheadSeconds * ability.nativeRate * bytesOfSample("s16")

    const learn: PrepareVoice = (reference, request, isAnswer) => {
      const ask = Effect.gen(function*() {
        const answer = yield* upstream.post({ ...yield* request, accept: "application/json" })
        const json = parseJson(yield* answer.whole(maxVoiceBytes))
        return isAnswer(json) ? json : yield* answer.nonsense("no such JSON")
      })
      return learned(reference, Effect.scoped(ask), isAnswer)
    }

    const speak = (utterance: Utterance) =>
      Stream.unwrapScoped(Effect.gen(function*() {
        const { language } = utterance
        if (!ability.languages.includes(language)) {
          const message = `The speech engine does not speak ${language}`
          return yield* new BadRequest({ message, param: "language_code" })
        }
        const leave = yield* upstream.place
        const saying = sayingOf(utterance)
        const { responseFormat: promised = saying.format, body, path } = yield* options.dialect.request(saying, learn)
        const answer = yield* upstream.post({ path, body, accept: "audio/*, */*;q=0.5", aheadBytes })
        answer.onArrived(leave)
        return decodeAudio(answer, { promised, rate: ability.nativeRate })
      }))

    return Synthesizer.of({ ability, speak })
  })

/** Provides such a voice; its connections close with the layer. */
export const layer = (options: SynthesizerOptions): Layer.Layer<Synthesizer> => Layer.scoped(Synthesizer, make(options))
