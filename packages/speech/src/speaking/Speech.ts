import { AudioCodecs } from "@trunkline/audio"
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
import { scriptOf } from "./Script.js"
import type { SpeakingFailure } from "./SpeakingFailure.js"
import { speakStream } from "./SpeakStream.js"
import { type GeneratedSpeech, speakWhole } from "./SpeakWhole.js"
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

    const script = ({ language, normalize, text }: Pick<StreamAsked, "language" | "normalize" | "text">) =>
      scriptOf({ text, language, normalizer: normalize ?? options.normalize ?? true ? normalizer : null })

    const clipOf = (source: Extract<VoiceSource, { readonly kind: "clip" }>) =>
      Effect.provideService(
        readReference(source.clip, { param: "ref_audio", longest: referenceSeconds }),
        AudioCodecs,
        codecs
      )

    /** The voice of a source, but for what is said in a clip that nobody has written down. */
    const referenceOf = (account_id: string, source: VoiceSource) =>
      source.kind === "voice"
        ? voices.reference(account_id, source.voice_id)
        : Effect.map(clipOf(source), (sound): Reference => ({
          sound,
          seconds: sound.samples.length / sound.rate,
          text: source.text,
          language: null,
          voice_id: null
        }))

    const withText = (reference: Reference): Effect.Effect<Reference, SpeechFailure> =>
      reference.text === null && transcriber.available
        ? Effect.map(transcriber.transcribe(reference.sound, reference), (text) => ({ ...reference, text }))
        : Effect.succeed(reference)

    const stream = (account_id: string, asked: StreamAsked, meter: SpeechMeter) =>
      Effect.gen(function*() {
        yield* engaged(synthesizer.ability, options, asked.language)
        const reference = yield* voices.reference(account_id, asked.voice_id)
        return yield* speakStream({ codecs, synthesizer }, { asked, meter, reference, script: yield* script(asked) })
      })

    const generate = (account_id: string, asked: GenerateAsked, meter: SpeechMeter) =>
      Effect.gen(function*() {
        yield* engaged(synthesizer.ability, options, asked.language)
        const source = yield* referenceOf(account_id, asked.source)
        const ready = { asked, script: yield* script(asked) }
        const work = Effect.flatMap(withText(source), (known) => {
          const reference = { ...known, seconds: asked.referenceSeconds ?? known.seconds }
          return speakWhole({ codecs, quality, synthesizer }, { ...ready, reference })
        })
        return yield* paid(meter, ready.script.characters, work)
      }).pipe(Effect.scoped, Effect.withSpan("Speech.generate"))

    return Speech.of({ ability: synthesizer.ability, stream, generate })
  })

/** Work that is paid for once it is done, and costs nothing when it fails. */
const paid = <A, E>(meter: SpeechMeter, characters: number, work: Effect.Effect<A, E>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(
      meter.reserve(characters),
      Effect.onError(Effect.zipLeft(restore(work), meter.settle(characters)), () => meter.release)
    )
  )
