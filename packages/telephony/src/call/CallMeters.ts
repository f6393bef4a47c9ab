import { BusinessTime, makeCounter, makeHistogram, mapNow } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Attempt } from "./Attempt.js"
import type { CallOutcome } from "./CallOutcome.js"

const attemptEnds = makeCounter({
  name: "trunkline_attempts_total",
  help: "Attempts that have ended; unknown is a dial that may or may not have been made",
  labels: {
    kind: ["campaign", "outbound", "inbound"],
    outcome: [
      "completed",
      "partial",
      "busy",
      "no_answer",
      "failed",
      "provider_error",
      "internal_error",
      "unknown",
      "blocked"
    ]
  }
})

/** Upper bounds of the durations of calls, in seconds. */
const callBounds = [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600]

const callDurations = makeHistogram({
  name: "trunkline_call_duration_seconds",
  help: "Conversations from the answer to their end, in business time",
  bounds: callBounds
})

const dialLateness = makeHistogram({
  name: "trunkline_dial_lateness_seconds",
  help: "Time from the claim of an attempt to its request to the carrier, in business time"
})

const dialDurations = makeHistogram({
  name: "trunkline_dial_duration_seconds",
  help: "Time from the request until the carrier takes or refuses the call, in business time",
  labels: { result: ["taken", "refused", "unknown", "not_sent"] }
})

const ringDurations = makeHistogram({
  name: "trunkline_ring_duration_seconds",
  help: "Time that accepted calls rang, in business time",
  labels: { result: ["answered", "not_answered", "called_off"] },
  bounds: callBounds
})

const incomingRefusals = makeCounter({
  name: "trunkline_incoming_refusals_total",
  help: "Incoming calls that were refused",
  labels: { reason: ["no_deployment", "deployment_paused", "outside_schedule", "no_capacity", "internal"] }
})

/** The label of an outcome, as the progress of a campaign names it. */
const labelOf = ({ result }: Attempt, outcome: CallOutcome): string => {
  if (outcome._tag === "NotConnected") return outcome.situation === "internal" ? "internal_error" : outcome.situation
  return outcome.report.fault === null ? result?.completion_status ?? "partial" : "internal_error"
}

/** Counts an attempt whose result is stored. */
export const countEnd = (attempt: Attempt, outcome: CallOutcome | undefined): void => {
  if (outcome === undefined) return
  attemptEnds.add(1, { kind: attempt.kind, outcome: labelOf(attempt, outcome) })
  if (outcome._tag === "Connected") callDurations.record((outcome.ended_at - outcome.started_at) / 1_000)
}

/** Counts an incoming call that was refused. */
export const countRefusal = (reason: string): void => incomingRefusals.add(1, { reason })

/** Results of dials that failed, by what is certain about them. */
const dialResults = { none: "not_sent", provider: "refused", unknown: "unknown" } as const

/** A dial that has been answered by its carrier, or has failed. */
interface EndedDial {
  readonly _tag: string
  readonly failure?: { readonly certainty: keyof typeof dialResults }
}

/** Measures one dial: `sent` runs when the request leaves, and `ended` passes on how it went. */
export const measureDial = ({ attempted_at }: Attempt) => {
  let sentAt: number | null = null
  return {
    sent: mapNow(BusinessTime.now, (now): void => {
      sentAt = now
      dialLateness.record((now - attempted_at) / 1_000)
    }),
    ended: <Dial extends EndedDial>(dial: Dial): Effect.Effect<Dial> =>
      mapNow(BusinessTime.now, (now) => {
        const result = dial.failure === undefined ? "taken" : dialResults[dial.failure.certainty]
        if (sentAt !== null) dialDurations.record((now - sentAt) / 1_000, { result })
        return dial
      })
  }
}

/** Records how long an accepted call rang since a moment of business time. */
export const measureRing = <A, E extends { readonly _tag: string }>(
  answer: Effect.Effect<A, E>,
  since: number
): Effect.Effect<A, E> => {
  const record = (result: string) =>
    mapNow(BusinessTime.now, (now) => ringDurations.record((now - since) / 1_000, { result }))
  return Effect.matchEffect(answer, {
    onSuccess: (leg) => Effect.as(record("answered"), leg),
    onFailure: (failure) =>
      Effect.zipRight(record(failure._tag === "CalledOff" ? "called_off" : "not_answered"), Effect.fail(failure))
  })
}
