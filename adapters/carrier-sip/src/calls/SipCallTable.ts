import type { AttemptId, ConnectionId } from "@trunkline/kernel"
import type { AudioLine, NotAnswered, PlacedCall } from "@trunkline/telephony"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"

/** Stage of a call. It only moves forward. */
export type SipCallStage =
  | { readonly _tag: "Ringing" }
  | { readonly _tag: "Talking"; readonly line: AudioLine }
  /** `result` is null for a call that was connected. */
  | { readonly _tag: "Over"; readonly result: NotAnswered | null }

/** A call of this process. */
export interface SipCallEntry {
  readonly provider_call_id: string
  readonly connection_id: ConnectionId
  /** Null for calls that came in. */
  readonly attempt_id: AttemptId | null
  /** Start, in epoch milliseconds of business time. */
  readonly since: number
  readonly call: PlacedCall
  stage: SipCallStage
}

/** Ended calls that are remembered, so that they can be looked up. */
const maxEnded = 10_000

/** The record of an ended call without what the call needed, such as its dialog. */
const withoutCall = (record: SipCallEntry, result: NotAnswered | null): SipCallEntry => {
  const answer = result === null ? Effect.never : Effect.fail(result)
  return {
    ...record,
    call: { provider_call_id: record.provider_call_id, answer, cancel: Effect.void }
  }
}

/** Calls of this process, by their ids. */
export interface SipCallTable {
  readonly add: (record: SipCallEntry) => void
  readonly find: (provider_call_id: string) => SipCallEntry | undefined
  /** Calls of a connection that are not over. */
  readonly live: (connection_id: ConnectionId) => ReadonlyArray<SipCallEntry>
  /** Marks a call as over; returns false when it already was. */
  readonly end: (record: SipCallEntry, result: NotAnswered | null) => boolean
}

/** Makes the record of calls, which is empty at first. The oldest ended calls are forgotten. */
export const makeSipCallTable = (): SipCallTable => {
  const live = new Map<string, SipCallEntry>()
  const endedEntries = new LRUCache<string, SipCallEntry>({ max: maxEnded })
  return {
    add: (record) => void live.set(record.provider_call_id, record),
    find: (id) => live.get(id) ?? endedEntries.peek(id),
    live: (connection_id) => [...live.values()].filter((record) => record.connection_id === connection_id),
    end: (record, result) => {
      if (record.stage._tag === "Over") return false
      record.stage = { _tag: "Over", result }
      live.delete(record.provider_call_id)
      endedEntries.set(record.provider_call_id, withoutCall(record, result))
      return true
    }
  }
}
