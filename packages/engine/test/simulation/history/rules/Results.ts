import type { AttemptEvidence, Evidence } from "../Evidence.js"
import type { Of } from "../History.js"
import { ofAttempts, type Rule } from "../Rule.js"
import { isBlockedAt } from "./Stops.js"

/** Whether something happened that lets nobody know what became of a dial. */
const isAmbiguous = ({ asked, claimed: [claim], told }: AttemptEvidence, ended: Of<"ended">, evidence: Evidence) =>
  evidence.crashedBetween(claim?.seq ?? 0, ended.seq) ||
  told.some(({ answer }) => answer === "broken" || answer === "late") ||
  (asked.length > 0 && told.length === 0)

/**
 * What a result says that the journals of the others do not. A call that was over again before we heard that somebody
 * had picked up counts as failed, and so does a dial that the provider does not answer and has not taken.
 */
const lie = (attempt: AttemptEvidence, ended: Of<"ended">, evidence: Evidence): string | null => {
  const { answered, claimed: [claim], dialled, hungUp, talked, told } = attempt
  const hows = hungUp.map(({ how }) => how)
  switch (ended.connectivity) {
    case "connected":
      return answered.length > 0 && talked.some(({ fault }) => !fault) ? null : "nobody talked"
    case "busy":
      return hows.includes("busy") ? null : "the line was not engaged"
    case "no_answer":
      return hows.includes("no_answer") || hows.includes("cancelled") ? null : "it did not ring in vain"
    case "failed":
      return hows.includes("failed") || hows.includes("cancelled") || told.some(({ answer }) => answer === "refused") ||
          (hows.length > 0 && talked.length === 0 && answered.length > 0) ||
          (dialled.length === 0 && isAmbiguous(attempt, ended, evidence))
        ? null
        : "the provider neither refused nor failed"
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

const honest = ofAttempts("a result says what happened", (attempt, evidence) =>
  attempt.ended.flatMap((ended) => {
    const what = lie(attempt, ended, evidence)
    return what === null
      ? []
      : [{ seq: ended.seq, what: `${attempt.id} ended ${ended.connectivity} (${ended.reason}), but ${what}` }]
  }))

/** A provider that can be asked what became of a dial leaves only those unknown that it could not tell of. */
export const resultRules: ReadonlyArray<Rule> = [honest]
