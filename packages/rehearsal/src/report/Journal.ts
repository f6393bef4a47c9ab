import { BusinessTime, rollingSha256 } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"

/** Takes what has been written, some lines at a time. */
export type JournalSink = (lines: string) => Effect.Effect<void>

/** The log of a rehearsal: a line for everything that happens, in order. */
export interface Journal {
  /** Writes what happened at a moment, epoch milliseconds. */
  readonly write: (at: number, what: string) => void
  /** Whether so much has been written that it should be handed on. */
  readonly isFull: () => boolean
  /** Hands on what has been written; the time of the rehearsal stands still meanwhile. */
  readonly relieve: Effect.Effect<void>
  /** Hands on the rest. */
  readonly close: Effect.Effect<{ readonly lines: number; readonly sha256: string }>
}

/** Characters that are held before they are handed on. */
const much = 32_768

/** A journal that hands its lines to `sink`, and keeps their count and their digest. */
export const makeJournal = (sink: JournalSink): Journal => {
  const digest = rollingSha256()
  let held = ""
  let lines = 0
  let [second, upToSecond] = [Number.NaN, ""]

  /** Formatting dates is slow, and many events share a second. */
  const timeText = (at: number): string => {
    const since = at % 1_000
    if (at - since !== second) {
      second = at - since
      upToSecond = DateTime.formatIso(DateTime.unsafeMake(second)).slice(0, -"000Z".length)
    }
    return `${upToSecond}${String(since).padStart(3, "0")}Z`
  }

  const handOn = Effect.suspend(() => {
    const text = held
    held = ""
    digest.add(text)
    return BusinessTime.hold(sink(text))
  })

  return {
    write: (at, what) => {
      held += `${timeText(at)} ${what}\n`
      lines += 1
    },
    isFull: () => held.length >= much,
    relieve: handOn,
    close: Effect.map(handOn, () => ({ lines, sha256: digest.hex() }))
  }
}
