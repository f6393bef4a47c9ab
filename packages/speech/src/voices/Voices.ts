import { type Audio, AudioCodecs, durationOf, SampleRate } from "@trunkline/audio"
import { type BadRequest, NotFound, TierLimitReached } from "@trunkline/errors"
import { BusinessTime, Ids, type PageRequest, Transactions, type VoiceId } from "@trunkline/kernel"
import { Context, Data, Effect, Layer, Option, RcMap, Schema, type Scope } from "effect"
import { badRequest } from "../forms/FormErrors.js"
import type { Reference, SpeechFailure } from "../Synthesizer.js"
import { Transcriber } from "../Transcriber.js"
import type { NewVoice } from "./CreateForm.js"
import { decodeReference, maxReferenceSeconds } from "./DecodeReference.js"
import { Voice, type voiceSorts, VoiceStore } from "./VoiceStore.js"

/** The number of voices that an account may save, by plan. */
export const voicesByPlan = { starter: 3, pro: 10, business: 50 } as const

/** Longest clip that a voice can be created from, in seconds; at most 15 of them are kept. */
const maxClipSeconds = 60

/** Time for which the decoded clip of a voice stays in memory after its last use. */
const cacheTimeToLive = "30 seconds"

/** Creates, lists and removes the voices of accounts, and loads them for speech synthesis. */
export class Voices extends Context.Tag("@trunkline/speech/Voices")<Voices, {
  /**
   * Saves a voice: decodes its clip, keeps the first 15 seconds of speech, and transcribes them when the request has no
   * text and a transcriber is available. `most` is the number of voices that the account may have; null is no limit.
   */
  readonly create: (
    account_id: string,
    voice: NewVoice,
    options: { readonly max: number | null }
  ) => Effect.Effect<Voice, TierLimitReached | BadRequest | SpeechFailure>
  /** Finds a voice of an account. */
  readonly get: (account_id: string, voice_id: VoiceId) => Effect.Effect<Voice, NotFound>
  /** Lists a page of an account's voices. */
  readonly list: (
    account_id: string,
    page: PageRequest<(typeof voiceSorts)[number]>
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Voice>; readonly total: number }>
  /** Removes a voice and its clip. Speech that is already running with the voice is not interrupted. */
  readonly remove: (account_id: string, voice_id: VoiceId) => Effect.Effect<void, NotFound>
  /**
   * Loads the reference of a saved voice. Concurrent users share one decoded clip, which stays in memory for 30 seconds
   * after its last use. Fails with `BadRequest` when the account has no such voice.
   */
  readonly reference: (
    account_id: string,
    voice_id: VoiceId
  ) => Effect.Effect<Reference, BadRequest | SpeechFailure, Scope.Scope>
}>() {
  /** Stores voices in `VoiceStore`, decodes clips with `AudioCodecs` and transcribes them with `Transcriber`. */
  static readonly layer = Layer.suspend(() => Layer.scoped(Voices, make))
}

const voiceLimitReached = (max: number) =>
  new TierLimitReached({
    message: `This plan allows ${max} voices and the account already has that many. Delete one first`
  })

/** Cache key of a voice. */
interface VoiceKey {
  readonly account_id: string
  readonly voice_id: VoiceId
}

const getOrFail = <E>(failure: E) => <A>(result: Option.Option<A>): Effect.Effect<A, E> =>
  Option.match(result, { onNone: () => Effect.fail(failure), onSome: (value) => Effect.succeed(value) })

const notFound = (id: VoiceId) => new NotFound({ resource: "voice", id })

const unknownVoice = (id: VoiceId) => badRequest("voice_id", `No voice with the id "${id}" exists`)

const wavRate = Schema.decodeUnknown(SampleRate)

const make = Effect.gen(function*() {
  const store = yield* VoiceStore
  const codecs = yield* AudioCodecs
  const transcriber = yield* Transcriber
  const { run } = yield* Transactions
  const ids = yield* Ids

  const checkVoiceLimit = (account_id: string, max: number | null) =>
    max === null
      ? Effect.void
      : Effect.flatMap(store.count(account_id), (count) => count < max ? Effect.void : voiceLimitReached(max))

  const encodeWav = (recording: Audio): Effect.Effect<Uint8Array> =>
    wavRate(recording.rate).pipe(
      Effect.flatMap((rate) => codecs.encode(recording, { codec: "wav", rate })),
      Effect.orDie
    )

  const decodeClip = (clip: Uint8Array): Effect.Effect<Audio> =>
    Effect.orDie(
      codecs.decode({ bytes: clip, filename: "clip.wav", contentType: "audio/wav" }, {
        seconds: maxReferenceSeconds + 1
      })
    )

  const transcriptOf = (recording: Audio, { language, text }: NewVoice): Effect.Effect<string, SpeechFailure> =>
    text !== null
      ? Effect.succeed(text)
      : transcriber.available
      ? transcriber.transcribe(recording, { language })
      : Effect.succeed("")

  const create = Effect.fn("Voices.create")(function*(
    account_id: string,
    voice: NewVoice,
    { max }: { readonly max: number | null }
  ) {
    yield* checkVoiceLimit(account_id, max)
    const recording = yield* decodeReference(codecs, voice.clip, { param: "file", maxSeconds: maxClipSeconds })
    const reference_text = yield* transcriptOf(recording, voice)
    const clip = yield* encodeWav(recording)
    return yield* run(Effect.gen(function*() {
      yield* checkVoiceLimit(account_id, max)
      const { gender, language, name, style } = voice
      const savedVoice = new Voice({
        voice_id: yield* ids.voiceId,
        name,
        language,
        style,
        gender,
        reference_text,
        reference_duration: durationOf(recording),
        created_at: yield* BusinessTime.date
      })
      yield* store.insert(account_id, savedVoice, clip)
      return savedVoice
    }))
  })

  /** Loads a voice, and transcribes its clip when no transcript is stored. */
  const referenceOf = ({ account_id, voice_id }: VoiceKey) =>
    Effect.gen(function*() {
      const voice = yield* Effect.flatMap(store.find(account_id, voice_id), getOrFail(unknownVoice(voice_id)))
      const recording = yield* Effect.flatMap(
        Effect.flatMap(store.clip(account_id, voice_id), getOrFail(unknownVoice(voice_id))),
        decodeClip
      )
      const { language, reference_duration: seconds, reference_text } = voice
      const text = reference_text === "" && transcriber.available
        ? yield* transcriber.transcribe(recording, { language })
        : reference_text
      const reference: Reference = { audio: recording, seconds, text: text === "" ? null : text, language, voice_id }
      return reference
    })

  const references = yield* RcMap.make({ idleTimeToLive: cacheTimeToLive, lookup: referenceOf })

  const reference = (account_id: string, voice_id: VoiceId) =>
    Effect.gen(function*() {
      yield* Effect.flatMap(store.find(account_id, voice_id), getOrFail(unknownVoice(voice_id)))
      const key = Data.struct({ account_id, voice_id })
      // RcMap caches failures too, so a failed lookup is invalidated.
      return yield* Effect.onError(RcMap.get(references, key), () => RcMap.invalidate(references, key))
    })

  return Voices.of({
    create,
    get: (account_id, id) => Effect.flatMap(store.find(account_id, id), getOrFail(notFound(id))),
    list: store.list,
    remove: (account_id, id) =>
      Effect.flatMap(run(store.remove(account_id, id)), (isRemoved) => isRemoved ? Effect.void : notFound(id)),
    reference
  })
})
