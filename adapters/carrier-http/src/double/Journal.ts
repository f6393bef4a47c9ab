import { appendFileSync } from "node:fs"

/** Something that happened at the provider's. */
export interface JournalEntry {
  /** Milliseconds since 1970, of the wall's clock. */
  readonly at: number
  /** `create`: somebody asked for a call; `dial`: a phone was made to ring; `repeat`: a key was known already. */
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
  readonly attempt_id: string
  readonly to: string
  /** None before there is one. */
  readonly call_id?: string
}

/** What happened, in its order; nothing is ever taken out. */
export interface Journal {
  readonly entries: ReadonlyArray<JournalEntry>
  readonly add: (entry: Omit<JournalEntry, "at">) => void
  /** How often each attempt was dialled. */
  readonly dialsByAttempt: ReadonlyMap<string, number>
  /** How often each number was dialled. */
  readonly dialsByNumber: ReadonlyMap<string, number>
}

const countOne = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** A journal in memory, and also in a file of JSON lines where one is given. */
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
        countOne(dialsByAttempt, what.attempt_id)
        countOne(dialsByNumber, what.to)
      }
      if (file !== null) appendFileSync(file, `${JSON.stringify(entry)}\n`)
    }
  }
}
