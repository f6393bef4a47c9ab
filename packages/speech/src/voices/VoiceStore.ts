import { applyPage, MemoryTable, type PageRequest, Timestamp, VoiceId } from "@trunkline/kernel"
import { LanguageCode } from "@trunkline/spoken-text"
import { Context, Effect, Layer, Option, Schema } from "effect"

/** The intended use of a voice. */
export const VoiceStyle = Schema.Literal("conversational", "audiobooks", "entertainment", "sales")
export type VoiceStyle = typeof VoiceStyle.Type

/** The gender that a voice sounds like. */
export const VoiceGender = Schema.Literal("male", "female")
export type VoiceGender = typeof VoiceGender.Type

/** A saved voice. It belongs to an account, and every key of the account may use it. */
export class Voice extends Schema.Class<Voice>("Voice")({
  voice_id: VoiceId,
  name: Schema.String,
  /** The language of the clip. */
  language: LanguageCode,
  style: VoiceStyle,
  gender: Schema.NullOr(VoiceGender),
  /** The transcript of the clip; empty when unknown. */
  reference_text: Schema.String,
  /** Length of the clip in seconds. */
  reference_duration: Schema.Finite,
  created_at: Timestamp
}) {}

/** Fields that lists of voices can be sorted by. */
export const voiceSorts = ["created_at", "name"] as const

/** Search and sort keys of voices: searched by name and id, ties sorted by id. */
export const voiceColumns = {
  id: (voice: Voice): string => voice.voice_id,
  text: (voice: Voice): ReadonlyArray<string> => [voice.name, voice.voice_id],
  sortKey: (voice: Voice, by: (typeof voiceSorts)[number]): string | number =>
    by === "name" ? voice.name : voice.created_at.epochMillis
}

/** Stores voices by account. A voice is invisible to other accounts. Every write joins the running transaction. */
export class VoiceStore extends Context.Tag("@trunkline/speech/VoiceStore")<VoiceStore, {
  /** Stores a voice together with its clip, a WAV file. An id that already exists is a defect. */
  readonly insert: (account_id: string, voice: Voice, clip: Uint8Array) => Effect.Effect<void>
  /** Finds a voice of an account. */
  readonly find: (account_id: string, voice_id: VoiceId) => Effect.Effect<Option.Option<Voice>>
  /** Reads the clip of a voice, byte for byte as it was inserted. */
  readonly clip: (account_id: string, voice_id: VoiceId) => Effect.Effect<Option.Option<Uint8Array>>
  /** Counts the voices of an account. */
  readonly count: (account_id: string) => Effect.Effect<number>
  /** Lists a page of an account's voices, sorted by one of `voiceSorts`, searched by name and id. */
  readonly list: (
    account_id: string,
    page: PageRequest<(typeof voiceSorts)[number]>
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Voice>; readonly total: number }>
  /** Removes a voice and its clip; false when the account has no such voice. */
  readonly remove: (account_id: string, voice_id: VoiceId) => Effect.Effect<boolean>
}>() {
  /** Stores voices in memory. */
  static readonly layerMemory = Layer.sync(VoiceStore, () => makeMemory())
}

interface Row {
  readonly account_id: string
  readonly voice: Voice
  readonly clip: Uint8Array
}

const makeMemory = (): (typeof VoiceStore)["Service"] => {
  const rows = MemoryTable.make<VoiceId, Row>()
  const rowsOf = (account_id: string) => [...rows.values()].filter((row) => row.account_id === account_id)
  const get = (account_id: string, voice_id: VoiceId) =>
    Option.filter(Option.fromNullable(rows.get(voice_id)), (row) => row.account_id === account_id)
  return {
    insert: (account_id, voice, clip) =>
      Effect.suspend(() =>
        rows.has(voice.voice_id)
          ? Effect.dieMessage("A voice with this id already exists")
          : rows.set(voice.voice_id, { account_id, voice, clip: clip.slice() })
      ),
    find: (account_id, voice_id) => Effect.sync(() => Option.map(get(account_id, voice_id), ({ voice }) => voice)),
    clip: (account_id, voice_id) =>
      Effect.sync(() => Option.map(get(account_id, voice_id), ({ clip }) => clip.slice())),
    count: (account_id) => Effect.sync(() => rowsOf(account_id).length),
    list: (account_id, page) =>
      Effect.sync(() => applyPage(rowsOf(account_id).map(({ voice }) => voice), page, voiceColumns)),
    remove: (account_id, voice_id) =>
      Effect.suspend(() => Option.isSome(get(account_id, voice_id)) ? rows.delete(voice_id) : Effect.succeed(false))
  }
}
