import type { AttemptId, CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import type { RetryCounters } from "../campaign/RetryPolicy.js"
import type { AttemptOutcome } from "./AttemptOutcome.js"
import type { Contact, LastOutcome } from "./Contact.js"
import { allow, type GateResult, hold } from "./GateResult.js"

/** Claim of a waiting contact for a new attempt. */
export interface Claim {
  readonly user_phone_number: PhoneNumber
  readonly attempt_id: AttemptId
  /** The number that the contact is called from. */
  readonly from: PhoneNumber
}

/** Claims of contacts of a campaign at a moment. */
export interface CampaignClaims {
  readonly scope: Scope
  readonly campaign_id: CampaignId
  readonly claims: ReadonlyArray<Claim>
  readonly at: number
  /** True when the contacts are dialled now; false for attempts that end without a dial, such as those of blocked numbers. */
  readonly isDialled: boolean
}

/** End of a contact's attempt, and the retry that follows. */
export interface Settlement {
  readonly campaign_id: CampaignId
  readonly user_phone_number: PhoneNumber
  readonly attempt_id: AttemptId
  readonly outcome: AttemptOutcome
  readonly last_outcome: LastOutcome
  readonly decision: GateResult
  /** The next attempt's due time and retry counters; null when the contact is finished. */
  readonly next: { readonly due_at: number; readonly counters: RetryCounters } | null
}

/** Postponement of a waiting contact's next attempt. */
export interface Deferral {
  readonly user_phone_number: PhoneNumber
  readonly due_at: number
  readonly decision: GateResult
}

/** From `waiting` to `calling`. */
export const claimContact = (contact: Contact, { attempt_id, from }: Claim, at: number): Contact => ({
  ...contact,
  state: "calling",
  attempt_id,
  attempts: contact.attempts + 1,
  called_from: [...contact.called_from, from],
  decision: allow("allowed", at)
})

/** From `calling` back to `waiting`, because the claimed attempt was never dialled. */
export const releaseContact = (contact: Contact, at: number): Contact => {
  const attempts = contact.attempts - 1
  return {
    ...contact,
    state: "waiting",
    attempt_id: null,
    attempts,
    called_from: contact.called_from.slice(0, -1),
    decision: attempts === 0 ? allow("new", at) : hold("retry_interval", at, contact.due_at)
  }
}

/** From `calling` to `waiting` for a retry, or to `finished` without one. */
export const settleContact = (contact: Contact, { decision, last_outcome, next }: Settlement): Contact => ({
  ...contact,
  attempt_id: null,
  decision,
  last_outcome,
  ...(next === null
    ? { state: "finished" as const }
    : { state: "waiting" as const, due_at: next.due_at, counters: next.counters })
})

/** A waiting contact with a later due time. */
export const deferContact = (contact: Contact, { decision, due_at }: Deferral): Contact => ({
  ...contact,
  due_at,
  decision
})

/** From `waiting` to `finished`, without a call. */
export const finishContact = (contact: Contact, decision: GateResult): Contact => ({
  ...contact,
  state: "finished",
  decision
})
