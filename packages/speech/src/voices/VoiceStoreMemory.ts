import { applyPage, MemoryTable, type VoiceId } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { Voice } from "./Voice.js"
import type { voiceSorts, VoiceStore } from "./VoiceStore.js"

/** Keeps voices in memory. */
export const voiceStoreMemory = (): (typeof VoiceStore)["Service"] => {
  const rows = MemoryTable.make<VoiceId, Row>()
  const owned = (account_id: string) => [...rows.values()].filter((row) => row.account_id === account_id)
  const get = (account_id: string, voice_id: VoiceId) =>
    Option.filter(Option.fromNullable(rows.get(voice_id)), (row) => row.account_id === account_id)
  return {
    insert: (account_id, voice, clip) =>
      Effect.suspend(() =>
        rows.has(voice.voice_id)
          ? Effect.dieMessage("A voice of this id is kept already")
          : rows.set(voice.voice_id, { account_id, voice, clip: clip.slice() })
      ),
    find: (account_id, voice_id) => Effect.sync(() => Option.map(get(account_id, voice_id), ({ voice }) => voice)),
    clip: (account_id, voice_id) =>
      Effect.sync(() => Option.map(get(account_id, voice_id), ({ clip }) => clip.slice())),
    count: (account_id) => Effect.sync(() => owned(account_id).length),
    list: (account_id, page) =>
      Effect.sync(() => applyPage(owned(account_id).map(({ voice }) => voice), page, voiceColumns)),
    remove: (account_id, voice_id) =>
      Effect.suspend(() => Option.isSome(get(account_id, voice_id)) ? rows.delete(voice_id) : Effect.succeed(false))
  }
}

interface Row {
  readonly account_id: string
  readonly voice: Voice
  readonly clip: Uint8Array
}

/** How voices are searched and sorted (shapes 0.4). */
export const voiceColumns = {
  id: (voice: Voice): string => voice.voice_id,
  text: (voice: Voice): ReadonlyArray<string> => [voice.name, voice.voice_id],
  sortKey: (voice: Voice, by: (typeof voiceSorts)[number]): string | number =>
    by === "name" ? voice.name : voice.created_at.epochMillis
}
