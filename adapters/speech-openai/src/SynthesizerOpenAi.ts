import { bytesOfSample } from "@trunkline/audio"
import { BadRequest } from "@trunkline/errors"
import { makeUpstream, type UpstreamAnswer } from "@trunkline/http-upstream"
import { type SpeechAbility, type SpeechFailure, Synthesizer, type Utterance } from "@trunkline/speech"
import { isoName } from "@trunkline/spoken-text"
import { Effect, Layer, type Scope, Stream } from "effect"
import type { Learn, Saying, SoundFormat } from "./dialects/SpeechDialect.js"
import { makeLearned } from "./Learned.js"
import type { SynthesizerOptions } from "./Options.js"
import { makeSoundReader } from "./sound/SoundReader.js"
import { wavClip } from "./sound/WavClip.js"

export { type SynthesizerOptions } from "./Options.js"

const who = "speech server"

/** No utterance is spoken for longer, in seconds: a server that goes on has lost itself. */
const longestSound = 600

/** How far an answer is read ahead of its listener, in seconds: beyond any clause. */
const aheadSeconds = 30

/** What a server may answer about a voice. */
const learnedBytes = 4 * 1024 * 1024

const abilityOf = ({ dialect, languages, nativeRate = 24_000, pace }: SynthesizerOptions): SpeechAbility => ({
  engine: dialect.name,
  cloning: dialect.cloning,
  languages: languages ?? dialect.languages,
  nativeRate,
  controls: pace === undefined ? dialect.controls : pace ? ["pace"] : []
})

/** What an utterance comes to under these options. */
const sayingBy = (
  { dialect, languageNames, model, responseFormat = "pcm", voice }: SynthesizerOptions
): (utterance: Utterance) => Saying => {
  const names = { ...dialect.languageNames, ...languageNames }
  return (utterance) => ({
    ...utterance,
    model: model ?? null,
    voice: (typeof voice === "string" ? voice : voice?.[utterance.language]) ?? null,
    languageName: names[utterance.language] ?? isoName(utterance.language),
    format: responseFormat,
    clip: wavClip(utterance.reference.sound)
  })
}

/** The value that a JSON text stands for; undefined where it stands for none. */
const jsonIn = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** The sound of an answer, at `rate`. One without any sound makes no sense. */
const soundOf = (
  { bytes, headers, nonsense }: UpstreamAnswer,
  { promised, rate }: { readonly promised: SoundFormat; readonly rate: number }
): Stream.Stream<Float32Array, SpeechFailure> => {
  const reader = makeSoundReader({ promised, rate, type: headers["content-type"]?.toLowerCase() ?? "" })
  let length = 0
  const sound = bytes.pipe(
    Stream.map(reader.push),
    Stream.concat(Stream.sync(reader.end)),
    Stream.mapEffect((read) => Effect.catchAll(read, nonsense)),
    Stream.filter((samples) => samples.length > 0),
    Stream.tap((samples) => {
      length += samples.length
      return length > longestSound * rate ? nonsense("endless sound") : Effect.void
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
    const upstream = yield* makeUpstream(who, options)
    const ability = abilityOf(options)
    const sayingOf = sayingBy(options)
    const learned = makeLearned()
    const aheadBytes = aheadSeconds * ability.nativeRate * bytesOfSample("s16")

    const learn: Learn = (reference, request, isAnswer) => {
      const ask = Effect.gen(function*() {
        const answer = yield* upstream.post({ ...yield* request, accept: "application/json" })
        const json = jsonIn(yield* answer.whole(learnedBytes))
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
        const { answers: promised = saying.format, body, path } = yield* options.dialect.request(saying, learn)
        const answer = yield* upstream.post({ path, body, accept: "audio/*, */*;q=0.5", aheadBytes })
        answer.onArrived(leave)
        return soundOf(answer, { promised, rate: ability.nativeRate })
      }))

    return Synthesizer.of({ ability, speak })
  })

/** Provides such a voice; its connections close with the layer. */
export const layer = (options: SynthesizerOptions): Layer.Layer<Synthesizer> => Layer.scoped(Synthesizer, make(options))
