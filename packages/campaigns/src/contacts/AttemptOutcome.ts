import type { NextActionStatus } from "@trunkline/kernel"
import type { CallOutcome } from "@trunkline/telephony"
import { Schema } from "effect"

/**
 * Outcome of an ended attempt, as progress counts it. Connected attempts are `completed` or `partial`. Of the others,
 * `internal_error` is a fault of ours, `unknown` a dial that may or may not have been made, and `blocked` a number on the
 * do-not-call list, which was not dialled.
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

/** Number of ended attempts by outcome. */
export type OutcomeCounts = Readonly<Record<AttemptOutcome, number>>

/** Counts of a campaign without ended attempts. */
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

/** The outcome that progress counts for a call, given its next action. */
export const attemptOutcomeOf = (outcome: CallOutcome, next: NextActionStatus | null): AttemptOutcome => {
  if (outcome._tag === "NotConnected") return outcome.situation === "internal" ? "internal_error" : outcome.situation
  if (outcome.report.fault !== null) return "internal_error"
  return outcome.report.agent_done && next !== "short_duration_retry" ? "completed" : "partial"
}
