import { appendFileSync } from "node:fs"

/** An event at the test provider. */
export interface JournalEntry {
  /** Wall-clock time in epoch milliseconds. */
  readonly at: number
  /** `create`: a create request; `dial`: a phone rings; `repeat`: a known key; `mismatch`: a known key with another body. */
  readonly what:
    | "create"
    | "dial"
    | "repeat"
    | "mismatch"
    | "answer"
    | "say"
    | "listen"
    | "hang_up"
    | "over"
  /** Null for inbound calls. */
  readonly attempt_id: string | null
  readonly to: string
  /** Absent before the call exists. */
  readonly call_id?: string
}

/** Append-only log of events. */
export interface Journal {
  readonly entries: ReadonlyArray<JournalEntry>
  readonly add: (entry: Omit<JournalEntry, "at">) => void
  /** Number of dials per attempt. */
  readonly dialsByAttempt: ReadonlyMap<string, number>
  /** Number of dials per phone number. */
  readonly dialsByNumber: ReadonlyMap<string, number>
}

const countOne = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** Makes a journal in memory that is also written to `file` as JSON lines unless null. */
export const makeJournal = (file: string | null): Journal => {
  const entries: Array<JournalEntry> = []
  const dialsByAttempt = new Map<string, number>()
  const dialsByNumber = new Map<string, number>()
  return {
    entries,
    dialsByAttempt,
    dialsByNumber,
    add: (what) => {
      const entry = { at: Date.now(), ...what }
      entries.push(entry)
      if (what.what === "dial") {
        if (what.attempt_id !== null) countOne(dialsByAttempt, what.attempt_id)
        countOne(dialsByNumber, what.to)
      }
      if (file !== null) appendFileSync(file, `${JSON.stringify(entry)}\n`)
    }
  }
}
