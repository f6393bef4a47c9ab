import type { AttemptEvidence, Evidence } from "./Evidence.js"

/** Something that must not have happened, and where in the history it shows. */
export interface Breach {
  readonly seq: number
  readonly what: string
}

/** One thing that a history must satisfy. */
export interface Rule {
  /** A few words that say what must hold. */
  readonly name: string
  /** Where it does not. */
  readonly breaches: (evidence: Evidence) => ReadonlyArray<Breach>
}

/** A rule about each attempt by itself. */
export const ofAttempts = (
  name: string,
  breaches: (attempt: AttemptEvidence, evidence: Evidence) => ReadonlyArray<Breach>
): Rule => ({
  name,
  breaches: (evidence) => [...evidence.attempts.values()].flatMap((attempt) => breaches(attempt, evidence))
})

/** When this holds, nothing; otherwise a breach here. */
export const unless = (holds: boolean, seq: number, what: string): ReadonlyArray<Breach> => holds ? [] : [{ seq, what }]
