import type { GateReason } from "@trunkline/campaigns"
import { outcomes, type RehearsalReport, type RehearsedOutcome } from "./RehearsalReport.js"
import type { Tally } from "./Tally.js"

type Cause = RehearsalReport["never_reached"]["causes"][number]
type Example = RehearsalReport["never_reached"]["examples"][number]

/** Maximum number of examples per cause, and in total. */
const maxExamplesOfCause = 3
const maxExamples = 20

/** Contacts at the end of a campaign, and why some were never reached. */
export interface UnreachedSummary {
  /** Number of enrolled contacts. */
  enrolled: number
  /** Number of enrolled contacts that still wait. */
  waiting: number
  /** Number of contacts that were never reached and lost a call to the end of the campaign. */
  cutOff: number
  readonly causes: Map<string, { -readonly [K in keyof Cause]: Cause[K] }>
  readonly examples: Array<Example>
}

/** A summary without contacts. */
export const emptySummary = (): UnreachedSummary => ({
  enrolled: 0,
  waiting: 0,
  cutOff: 0,
  causes: new Map(),
  examples: []
})

const count = (
  summary: UnreachedSummary,
  reason: GateReason,
  last_outcome: RehearsedOutcome | null,
  people: number
) => {
  const key = `${reason} ${last_outcome}`
  const existing = summary.causes.get(key)
  if (existing === undefined) summary.causes.set(key, { reason, last_outcome, people })
  else existing.people += people
  return existing?.people ?? people
}

/** Adds an enrolled contact after the end of the campaign: `state` is why it is finished, or `waiting`. */
export const addContact = (
  summary: UnreachedSummary,
  { person, state }: { readonly person: number; readonly state: GateReason | "waiting" },
  tally: Tally
): void => {
  summary.enrolled += 1
  if (state === "waiting") summary.waiting += 1
  if (tally.reachedBy.get(person) > 0) return
  if (state === "past_end") summary.cutOff += 1
  const reason = state === "waiting" ? "campaign_ended" : state
  const last_outcome = outcomes[tally.lastOutcome.get(person) - 1] ?? null
  const alike = count(summary, reason, last_outcome, 1)
  if (alike > maxExamplesOfCause || summary.examples.length >= maxExamples) return
  summary.examples.push({ person, calls: tally.calls.get(person), reason, last_outcome })
}

/** Adds contacts that the campaign never enrolled. */
export const addNotEnrolled = (summary: UnreachedSummary, people: number): void => {
  if (people > 0) count(summary, "campaign_ended", null, people)
}
