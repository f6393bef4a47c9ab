import type { AttemptEvidence, Evidence } from "./Evidence.js"

/** Breach of a rule at a position of the history. */
export interface Breach {
  readonly seq: number
  readonly message: string
}

/** Rule that a history must satisfy. */
export interface Rule {
  /** Statement that must hold. */
  readonly name: string
  /** Finds the positions at which it does not hold. */
  readonly breaches: (evidence: Evidence) => ReadonlyArray<Breach>
}

/** Makes a rule about single attempts. */
export const attemptRule = (
  name: string,
  breaches: (attempt: AttemptEvidence, evidence: Evidence) => ReadonlyArray<Breach>
): Rule => ({
  name,
  breaches: (evidence) => [...evidence.attempts.values()].flatMap((attempt) => breaches(attempt, evidence))
})

/** Returns a breach unless the condition holds. */
export const unless = (holds: boolean, seq: number, message: string): ReadonlyArray<Breach> =>
  holds ? [] : [{ seq, message }]
