import type { PageRequest, VoiceId } from "@trunkline/kernel"
import { Context, type Effect, Layer, type Option } from "effect"
import type { Voice } from "./Voice.js"
import { voiceStoreMemory } from "./VoiceStoreMemory.js"

/** What voices are sorted by in a list. */
export const voiceSorts = ["created_at", "name"] as const

/** Keeps voices by account. A voice of another account is as good as none. Every write joins the running transaction. */
export class VoiceStore extends Context.Tag("@trunkline/speech/VoiceStore")<VoiceStore, {
  /** Keeps a voice and its clip, a WAV file, together. An id that is taken is a defect. */
  readonly insert: (account_id: string, voice: Voice, clip: Uint8Array) => Effect.Effect<void>
  readonly find: (account_id: string, voice_id: VoiceId) => Effect.Effect<Option.Option<Voice>>
  /** The clip of a voice, byte for byte. */
  readonly clip: (account_id: string, voice_id: VoiceId) => Effect.Effect<Option.Option<Uint8Array>>
  /** How many voices an account has. */
  readonly count: (account_id: string) => Effect.Effect<number>
  /** Sorted by `voiceSorts`; searched by name and id (shapes 0.4). */
  readonly list: (
    account_id: string,
    page: PageRequest<(typeof voiceSorts)[number]>
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Voice>; readonly total: number }>
  /** Removes a voice and its clip; false when there is none. */
  readonly remove: (account_id: string, voice_id: VoiceId) => Effect.Effect<boolean>
}>() {
  /** Keeps voices in memory. */
  static readonly layerMemory = Layer.sync(VoiceStore, voiceStoreMemory)
}
