import type { NextActionStatus } from "@trunkline/kernel"
import type { CallOutcome } from "@trunkline/telephony"
import { Schema } from "effect"

/**
 * What an ended attempt is counted as. Connected ones are `completed` or `partial`; the others are told apart by how
 * the line answered: `internal_error` is a fault of ours, `unknown` a dial of which nobody knows, `blocked` a number of
 * the do-not-call list, which was not dialled.
 */
export const AttemptOutcome = Schema.Literal(
  "completed",
  "partial",
  "busy",
  "no_answer",
  "failed",
  "provider_error",
  "internal_error",
  "unknown",
  "blocked"
)
export type AttemptOutcome = typeof AttemptOutcome.Type

/** How often each outcome came. */
export type OutcomeCounts = Readonly<Record<AttemptOutcome, number>>

/** Nothing has ended yet. */
export const noOutcomes: OutcomeCounts = {
  completed: 0,
  partial: 0,
  busy: 0,
  no_answer: 0,
  failed: 0,
  provider_error: 0,
  internal_error: 0,
  unknown: 0,
  blocked: 0
}

/** What an outcome is counted as, given what happens next. */
export const countedAs = (outcome: CallOutcome, next: NextActionStatus | null): AttemptOutcome => {
  if (outcome._tag === "NotConnected") return outcome.situation === "internal" ? "internal_error" : outcome.situation
  if (outcome.report.fault !== null) return "internal_error"
  return outcome.report.agent_done && next !== "short_duration_retry" ? "completed" : "partial"
}
