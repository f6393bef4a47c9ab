import type { ConversationTapes } from "@trunkline/conversation"
import type { CallPlan } from "@trunkline/conversation/steps"
import { BusinessTime, describeCause, timeoutAfter } from "@trunkline/kernel"
import type { CallBrief, CallReport, Heard } from "@trunkline/telephony"
import { Effect } from "effect"
import { plainReport, stepAfter } from "./PlainReport.js"
import { recordTrace, type TapedEvent } from "./RecordTrace.js"
import type { RedactRule } from "./RedactTrace.js"

/** Most events of a tape; a conversation has some hundred at most. */
const maxEvents = 5_000

/** Longest wait of a call for its trace to be stored. */
const keepTimeout = "5 seconds"

/** Options of tapes. */
export interface TraceTapesOptions {
  /** Rules of what is left out. */
  readonly redact: ReadonlyArray<RedactRule>
  /** Keeps the trace of a call. */
  readonly keep: (brief: CallBrief, trace: string) => Effect.Effect<void>
}

/** The report of a conversation that was cut. */
const reportOfCut = (plan: CallPlan, events: ReadonlyArray<TapedEvent>): Effect.Effect<CallReport> =>
  Effect.suspend(() =>
    Effect.map(plainReport(plan, stepAfter(plan, events).state), (report) => ({ ...report, fault: "the call was cut" }))
  )

/** Tapes whose conversations are kept as traces. One that cannot be kept is logged, and its call goes on. */
export const traceTapes = ({ keep, redact }: TraceTapesOptions): ConversationTapes.Service => ({
  tapeOf: (plan) => {
    const events: Array<TapedEvent> = []
    let isFull = false
    let lastWords: ReadonlyArray<Heard> = []
    let endedAt = plan.startedAt
    return {
      event: (event, at) => {
        isFull ||= events.length >= maxEvents
        if (!isFull) events.push({ event, at })
        endedAt = at
      },
      lastWords: (words, at) => {
        lastWords = words
        endedAt = at
      },
      end: (report) =>
        Effect.flatMap(report === null ? reportOfCut(plan, events) : Effect.succeed(report), (finalReport) => {
          const isWhole = !isFull && report !== null
          return keep(
            plan.brief,
            recordTrace({ plan, events, isWhole, lastWords, endedAt, report: finalReport }, redact)
          )
        }).pipe(
          BusinessTime.hold,
          timeoutAfter(keepTimeout, Effect.dieMessage("It took longer than 5 seconds")),
          Effect.catchAllCause((cause) =>
            Effect.logWarning("The trace of a call could not be kept", describeCause(cause))
          )
        )
    }
  }
})
