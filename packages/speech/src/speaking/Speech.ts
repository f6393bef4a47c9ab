import { AudioCodecs, secondsOf } from "@trunkline/audio"
import { Ids, Transactions } from "@trunkline/kernel"
import { TextNormalizer } from "@trunkline/spoken-text"
import { Context, Effect, Layer, type Scope, type Stream } from "effect"
import type { GenerateAsked, VoiceSource } from "../forms/GenerateForm.js"
import type { StreamAsked } from "../forms/StreamForm.js"
import { type Reference, type SpeechAbility, type SpeechFailure, Synthesizer } from "../ports/Synthesizer.js"
import { Transcriber } from "../ports/Transcriber.js"
import { QualityCheck } from "../quality/QualityCheck.js"
import { Voices } from "../voices/Voices.js"
import { VoiceStore } from "../voices/VoiceStore.js"
import { engaged } from "./Engaged.js"
import { readReference, referenceSeconds } from "./Reference.js"
import { type Script, scriptOf } from "./Script.js"
import type { SpeakingFailure } from "./SpeakingFailure.js"
import { speakStream } from "./SpeakStream.js"
import { type GeneratedSpeech, longestSpeech, speakWhole } from "./SpeakWhole.js"
import type { SpeechMeter } from "./SpeechMeter.js"
import type { SpeechOptions } from "./SpeechOptions.js"

/** Speaks with cloned voices, streamed or whole (specification, Voice-cloned speech). Who stops waiting stops the work. */
export class Speech extends Context.Tag("@trunkline/speech/Speech")<Speech, {
  /** What the engine is and can do. */
  readonly ability: SpeechAbility
  /**
   * Speech in the codec that was asked for, as it is spoken. It completes once the first bytes are there; what fails
   * after that breaks the stream off.
   */
  readonly stream: (
    account_id: string,
    asked: StreamAsked,
    meter: SpeechMeter
  ) => Effect.Effect<Stream.Stream<Uint8Array, SpeechFailure>, SpeakingFailure, Scope.Scope>
  /** Speech in one piece. It costs nothing when it fails. */
  readonly generate: (
    account_id: string,
    asked: GenerateAsked,
    meter: SpeechMeter
  ) => Effect.Effect<GeneratedSpeech, SpeakingFailure>
}>() {
  /** Speaks by `Synthesizer`, with the voices of `Voices`. */
  static readonly layer = (options: SpeechOptions = {}) => Layer.effect(Speech, make(options))

  /** Speech and voices for a script: kept in memory, with nobody to listen. Who speaks and the codecs remain to be given. */
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
    const room = yield* Effect.makeSemaphore(secondsAtOnce)

    const script = ({ language, normalize, text }: Pick<StreamAsked, "language" | "normalize" | "text">) =>
      scriptOf({ text, language, normalizer: normalize ?? options.normalize ?? true ? normalizer : null })

    /** The voice in a clip that comes with a request, and what is said in it. */
    const referenceIn = ({ clip, text }: Extract<VoiceSource, { readonly kind: "clip" }>) =>
      Effect.gen(function*() {
        const sound = yield* readReference(codecs, clip, { param: "ref_audio", longest: referenceSeconds })
        const said = text === null && transcriber.available
          ? yield* transcriber.transcribe(sound, { language: null })
          : text
        const reference: Reference = { sound, seconds: secondsOf(sound), text: said, language: null, voice_id: null }
        return reference
      })

    const stream = (account_id: string, asked: StreamAsked, meter: SpeechMeter) =>
      Effect.gen(function*() {
        yield* engaged(synthesizer.ability, options, asked.language)
        const reference = yield* voices.reference(account_id, asked.voice_id)
        return yield* speakStream({ codecs, synthesizer }, { asked, meter, reference, script: yield* script(asked) })
      })

    const generate = (account_id: string, asked: GenerateAsked, meter: SpeechMeter) =>
      Effect.gen(function*() {
        const { source } = asked
        yield* engaged(synthesizer.ability, options, asked.language)
        const said = yield* script(asked)
        const referencing = source.kind === "voice"
          ? Effect.succeed(yield* voices.reference(account_id, source.voice_id))
          : referenceIn(source)
        const work = Effect.flatMap(referencing, (found) => {
          const reference = { ...found, seconds: asked.referenceSeconds ?? found.seconds }
          return speakWhole({ codecs, quality, synthesizer }, { asked, script: said, reference })
        })
        return yield* paid(meter, said.characters, room.withPermits(secondsAtMost(asked, said))(work))
      }).pipe(Effect.scoped, Effect.withSpan("Speech.generate"))

    return Speech.of({ ability: synthesizer.ability, stream, generate })
  })

/** The seconds of whole speeches that are worked on at once; others wait, since each second takes some 2 MB. */
const secondsAtOnce = 4 * longestSpeech

/** Letters that are spoken in a second, slowly. */
const slowLetters = 8

/** How long a speech is going to be at the most, roughly. */
const secondsAtMost = ({ bounds, pace }: GenerateAsked, { clauses }: Script): number => {
  const letters = clauses.reduce((sum, { length }) => sum + length, 0)
  return Math.min(longestSpeech, Math.ceil(Math.max(letters / slowLetters / pace, bounds.least ?? 0)))
}

/** Work that is paid for once it is done, and costs nothing when it fails. */
const paid = <A, E>(meter: SpeechMeter, characters: number, work: Effect.Effect<A, E>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(
      meter.reserve(characters),
      Effect.onError(Effect.zipLeft(restore(work), meter.settle(characters)), () => meter.release)
    )
  )
