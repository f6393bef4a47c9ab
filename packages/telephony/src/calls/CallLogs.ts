import { type AttemptId, timeoutAfter } from "@trunkline/kernel"
import { type Context, Duration, Effect } from "effect"
import type { CallLog } from "../call/CallLog.js"
import type { CallJournal } from "../journal/CallJournal.js"
import type { Departure } from "./Departure.js"

/** Longest time for which a call waits until its log is stored. */
const maxWait = Duration.seconds(2)

/** Makes the logs of a call in a journal; `start` runs what nobody waits for. */
export const callLogs = (attempt_id: AttemptId, { departure, journal, start }: {
  readonly departure: Departure
  readonly journal: Context.Tag.Service<CallJournal>
  readonly start: (write: Effect.Effect<void>) => unknown
}) =>
(_tag: "Line" | "Step", past: ReadonlyArray<string>): CallLog => {
  const keep = (text: string) => departure.write(journal.keep(attempt_id, { _tag, text }))
  return {
    past,
    note: (text) => void start(keep(text)),
    keep: (text) => timeoutAfter(maxWait, Effect.void)(keep(text)),
    stay: departure.stay
  }
}
