import { incrementalSha256 } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"

/** Receives the log in chunks of lines. */
export type JournalSink = (lines: string) => Effect.Effect<void>

/** The log of a rehearsal, one line per event in order. */
export interface Journal {
  /** Writes an event at a moment, epoch milliseconds. */
  readonly write: (at: number, event: string) => void
  /** True when the buffer should be flushed. */
  readonly isFull: () => boolean
  /** Passes the buffered lines to the sink. */
  readonly flush: Effect.Effect<void>
  /** Flushes the rest; returns the number of lines and the digest of the log. */
  readonly close: Effect.Effect<{ readonly lines: number; readonly sha256: string }>
}

/** Length of the buffer at which it is flushed, in characters. */
const flushLength = 32_768

/** A journal that writes to `sink` and counts and digests its lines. */
export const makeJournal = (sink: JournalSink): Journal => {
  const digest = incrementalSha256()
  let buffer = ""
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

  const flush = Effect.suspend(() => {
    const text = buffer
    buffer = ""
    digest.add(text)
    return sink(text)
  })

  return {
    write: (at, event) => {
      buffer += `${timeText(at)} ${event}\n`
      lines += 1
    },
    isFull: () => buffer.length >= flushLength,
    flush,
    close: Effect.map(flush, () => ({ lines, sha256: digest.hex() }))
  }
}
