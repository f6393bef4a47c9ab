import type { AttemptEvidence, Evidence } from "../Evidence.js"
import type { EventOf } from "../History.js"
import { attemptRule, type Rule } from "../Rule.js"
import { isBlockedAt } from "./Stops.js"

/** True when an event made the outcome of a dial unknowable. */
const isAmbiguous = (
  { requested, claimed: [claim], responded }: AttemptEvidence,
  ended: EventOf<"ended">,
  evidence: Evidence
) =>
  evidence.crashedBetween(claim?.seq ?? 0, ended.seq) ||
  responded.some(({ response }) => response === "error" || response === "late") ||
  (requested.length > 0 && responded.length === 0)

/**
 * Describes how a result contradicts the records of the provider and the agent; null when it does not. A call that ended
 * before the engine learned of its answer counts as failed, as does a dial that the provider neither responded to nor accepted.
 * A conversation that a crash cut off has a reason.
 */
const contradictionOf = (attempt: AttemptEvidence, ended: EventOf<"ended">, evidence: Evidence): string | null => {
  const { answered, claimed: [claim], dialled, hungUp, talked, responded } = attempt
  const hows = hungUp.map(({ how }) => how)
  switch (ended.connectivity) {
    case "connected":
      if (ended.reason !== null) {
        return answered.some(({ seq }) => evidence.crashedBetween(seq, ended.seq)) ? null : "no crash cut it off"
      }
      return answered.length > 0 && talked.some(({ fault }) => !fault) ? null : "there was no conversation"
    case "busy":
      return hows.includes("busy") ? null : "the line was not engaged"
    case "no_answer":
      return hows.includes("no_answer") || hows.includes("cancelled") ? null : "it did not ring in vain"
    case "failed":
      return hows.includes("failed") || hows.includes("cancelled") ||
          responded.some(({ response }) => response === "rejected") ||
          (hows.length > 0 && talked.length === 0 && answered.length > 0) ||
          (dialled.length === 0 && isAmbiguous(attempt, ended, evidence))
        ? null
        : "the provider neither rejected the dial nor failed"
    default:
      if (ended.reason === "blocked_number") {
        return claim !== undefined && isBlockedAt(evidence, claim.number, ended.seq)
          ? null
          : "the number is not blocked"
      }
      if (talked.some(({ fault }) => fault)) return null
      return isAmbiguous(attempt, ended, evidence) ? null : "nothing happened that would hide the outcome"
  }
}

const truthful = attemptRule(
  "a result matches the records of the provider",
  (attempt, evidence) =>
    attempt.ended.flatMap((ended) => {
      const message = contradictionOf(attempt, ended, evidence)
      return message === null
        ? []
        : [{ seq: ended.seq, message: `${attempt.id} ended ${ended.connectivity} (${ended.reason}), but ${message}` }]
    })
)

/** Rules about results. */
export const resultRules: ReadonlyArray<Rule> = [truthful]
