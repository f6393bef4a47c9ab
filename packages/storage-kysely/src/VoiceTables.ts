import type { Whole } from "./Database.js"

/** A voice without its clip; what lists search in, and sort by. */
interface VoicesTable extends Whole {
  readonly voice_id: string
  readonly account_id: string
  /** The texts that a search looks in, folded. */
  readonly search: string
  readonly name: string
  /** Epoch milliseconds. */
  readonly created_at: number
}

/** The clip of each voice: apart, since one is over a megabyte and lists have no use for it. */
interface VoiceClipsTable {
  readonly voice_id: string
  /** A WAV file. */
  readonly clip: Uint8Array
}

/** The tables of cloned voices, as the newest migration leaves them. */
export interface VoiceTables {
  readonly voice_clips: VoiceClipsTable
  readonly voices: VoicesTable
}
