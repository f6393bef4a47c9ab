import { AudioCodecs, SampleRate, secondsOf, type Sound } from "@trunkline/audio"
import { type BadRequest, NotFound, TierLimitReached } from "@trunkline/errors"
import { BusinessTime, Ids, type PageRequest, Transactions, type VoiceId } from "@trunkline/kernel"
import { Context, Data, Effect, Layer, Option, RcMap, Schema, type Scope } from "effect"
import type { NewVoice } from "../forms/CreateForm.js"
import { refuse } from "../forms/Rules.js"
import type { Reference, SpeechFailure } from "../ports/Synthesizer.js"
import { Transcriber } from "../ports/Transcriber.js"
import { readReference, referenceSeconds } from "../speaking/Reference.js"
import { Voice } from "./Voice.js"
import { type voiceSorts, VoiceStore } from "./VoiceStore.js"

/** How many voices an account may have by its plan: three by shapes 8.1, the others are ours. */
export const voicesByPlan = { starter: 3, pro: 10, business: 50 } as const

/** The longest clip that a voice is made of, in seconds; 15 of them are kept. */
export const longestClip = 60

/** How long a voice that was spoken with stays in memory. */
const rememberedFor = "30 seconds"

/** The voices of accounts (specification, Cloned voice; shapes 8.1). */
export class Voices extends Context.Tag("@trunkline/speech/Voices")<Voices, {
  /**
   * Saves a voice. Its clip is read, cut to its first 15 seconds of speech, kept as it is otherwise, and written down
   * where its text is not known. `most` is how many voices the account may have; null is no limit.
   */
  readonly create: (
    account_id: string,
    voice: NewVoice,
    options: { readonly most: number | null }
  ) => Effect.Effect<Voice, TierLimitReached | BadRequest | SpeechFailure>
  readonly get: (account_id: string, voice_id: VoiceId) => Effect.Effect<Voice, NotFound>
  readonly list: (
    account_id: string,
    page: PageRequest<(typeof voiceSorts)[number]>
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Voice>; readonly total: number }>
  /** Removes a voice and its clip. What is being spoken with it is spoken to its end. */
  readonly remove: (account_id: string, voice_id: VoiceId) => Effect.Effect<void, NotFound>
  /** The voice to speak with, whose clip all who speak with it share. One that is unknown is a `BadRequest`. */
  readonly reference: (
    account_id: string,
    voice_id: VoiceId
  ) => Effect.Effect<Reference, BadRequest | SpeechFailure, Scope.Scope>
}>() {
  /** Keeps voices in `VoiceStore`, and reads their clips by `AudioCodecs` and `Transcriber`. */
  static readonly layer = Layer.suspend(() => Layer.scoped(Voices, make))
}

const full = (most: number) =>
  new TierLimitReached({ message: `This plan holds ${most} voices, and the account has as many: delete one first` })

/** A voice of an account. */
interface Owned {
  readonly account_id: string
  readonly voice_id: VoiceId
}

const orElse = <E>(failure: E) => <A>(found: Option.Option<A>): Effect.Effect<A, E> =>
  Option.match(found, { onNone: () => Effect.fail(failure), onSome: (value) => Effect.succeed(value) })

const missing = (id: VoiceId) => new NotFound({ resource: "voice", id })

const unknown = refuse("voice_id", "No voice with this id exists")

const wavRate = Schema.decodeUnknown(SampleRate)

const make = Effect.gen(function*() {
  const store = yield* VoiceStore
  const codecs = yield* AudioCodecs
  const transcriber = yield* Transcriber
  const { run } = yield* Transactions
  const ids = yield* Ids

  const room = (account_id: string, most: number | null) =>
    most === null
      ? Effect.void
      : Effect.flatMap(store.count(account_id), (count) => count < most ? Effect.void : full(most))

  const wavOf = (sound: Sound): Effect.Effect<Uint8Array> =>
    wavRate(sound.rate).pipe(
      Effect.flatMap((rate) => codecs.encode(sound, { codec: "wav", rate })),
      Effect.orDie
    )

  const soundIn = (clip: Uint8Array): Effect.Effect<Sound> =>
    Effect.orDie(
      codecs.decode({ bytes: clip, filename: "clip.wav", contentType: "audio/wav" }, { seconds: referenceSeconds + 1 })
    )

  const written = (sound: Sound, { language, text }: NewVoice): Effect.Effect<string, SpeechFailure> =>
    text !== null
      ? Effect.succeed(text)
      : transcriber.available
      ? transcriber.transcribe(sound, { language })
      : Effect.succeed("")

  const create = Effect.fn("Voices.create")(function*(
    account_id: string,
    voice: NewVoice,
    { most }: { readonly most: number | null }
  ) {
    yield* room(account_id, most)
    const sound = yield* readReference(codecs, voice.clip, { param: "file", longest: longestClip })
    const reference_text = yield* written(sound, voice)
    const clip = yield* wavOf(sound)
    return yield* run(Effect.gen(function*() {
      yield* room(account_id, most)
      const { gender, language, name, style } = voice
      const saved = new Voice({
        voice_id: yield* ids.voiceId,
        name,
        language,
        style,
        gender,
        reference_text,
        reference_duration: secondsOf(sound),
        created_at: yield* BusinessTime.date
      })
      yield* store.insert(account_id, saved, clip)
      return saved
    }))
  })

  /** The voice to speak with; what is said in its clip is written down where nobody has. */
  const referenceOf = ({ account_id, voice_id }: Owned) =>
    Effect.gen(function*() {
      const voice = yield* Effect.flatMap(store.find(account_id, voice_id), orElse(unknown))
      const sound = yield* Effect.flatMap(Effect.flatMap(store.clip(account_id, voice_id), orElse(unknown)), soundIn)
      const { language, reference_duration: seconds, reference_text } = voice
      const text = reference_text === "" && transcriber.available
        ? yield* transcriber.transcribe(sound, { language })
        : reference_text
      const reference: Reference = { sound, seconds, text: text === "" ? null : text, language, voice_id }
      return reference
    })

  const references = yield* RcMap.make({ idleTimeToLive: rememberedFor, lookup: referenceOf })

  const reference = (account_id: string, voice_id: VoiceId) =>
    Effect.gen(function*() {
      yield* Effect.flatMap(store.find(account_id, voice_id), orElse(unknown))
      const key = Data.struct({ account_id, voice_id })
      // A map of this kind keeps failures as well.
      return yield* Effect.onError(RcMap.get(references, key), () => RcMap.invalidate(references, key))
    })

  return Voices.of({
    create,
    get: (account_id, id) => Effect.flatMap(store.find(account_id, id), orElse(missing(id))),
    list: store.list,
    remove: (account_id, id) =>
      Effect.flatMap(run(store.remove(account_id, id)), (was) => was ? Effect.void : missing(id)),
    reference
  })
})
