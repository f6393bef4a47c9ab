import type { Contact, GateReason } from "@trunkline/campaigns"
import { outcomes, type RehearsedOutcome } from "./Outcome.js"
import type { RehearsalReport } from "./RehearsalReport.js"
import type { Tally } from "./Tally.js"

type Cause = RehearsalReport["never_reached"]["causes"][number]
type Example = RehearsalReport["never_reached"]["examples"][number]

/** Examples of each cause, and of all together. */
const examplesOfCause = 3
const examplesAtMost = 20

/** How people were left at the end of a campaign. */
export interface Leftovers {
  /** People who were enrolled, and of those, who waited. */
  enrolled: number
  waiting: number
  /** People who were never reached and lost a call to the end of the campaign. */
  cutOff: number
  readonly causes: Map<string, { -readonly [K in keyof Cause]: Cause[K] }>
  readonly examples: Array<Example>
}

/** Nobody has been looked at. */
export const noLeftovers = (): Leftovers => ({ enrolled: 0, waiting: 0, cutOff: 0, causes: new Map(), examples: [] })

const count = (leftovers: Leftovers, reason: GateReason, last_outcome: RehearsedOutcome | null, people: number) => {
  const key = `${reason} ${last_outcome}`
  const known = leftovers.causes.get(key)
  if (known === undefined) leftovers.causes.set(key, { reason, last_outcome, people })
  else known.people += people
  return known?.people ?? people
}

/** Looks at somebody once the campaign is over. */
export const lookAt = (leftovers: Leftovers, { decision, state, user_identifier }: Contact, tally: Tally): void => {
  const person = Number(user_identifier)
  leftovers.enrolled += 1
  if (state === "waiting") leftovers.waiting += 1
  if (tally.reachedBy.get(person) > 0) return
  if (decision.reason === "past_end") leftovers.cutOff += 1
  const reason = state === "waiting" ? "campaign_ended" : decision.reason
  const last_outcome = outcomes[tally.lastOutcome.get(person) - 1] ?? null
  const alike = count(leftovers, reason, last_outcome, 1)
  if (alike > examplesOfCause || leftovers.examples.length >= examplesAtMost) return
  leftovers.examples.push({ person, calls: tally.calls.get(person), reason, last_outcome })
}

/** Counts people whom the campaign never looked at. */
export const neverLookedAt = (leftovers: Leftovers, people: number): void => {
  if (people > 0) count(leftovers, "campaign_ended", null, people)
}
