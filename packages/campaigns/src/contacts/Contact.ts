import {
  type AttemptId,
  type CampaignId,
  type CohortId,
  CompletionStatus,
  ConnectivityStatus,
  NextActionStatus,
  type PhoneNumber,
  type Variables
} from "@trunkline/kernel"
import type { AppOverrides } from "@trunkline/telephony"
import { Schema } from "effect"
import { noRetries, type RetryCounters } from "../campaign/RetryPolicy.js"
import { allow, type GateReason, type GateResult } from "./GateResult.js"

/** State of a contact in a campaign: waiting for a dial, in a call, or finished. */
export const ContactState = Schema.Literal("waiting", "calling", "finished")
export type ContactState = typeof ContactState.Type

/** Outcome of a contact's last attempt, with the values of the API's attempt records. */
export const LastOutcome = Schema.Struct({
  completion_status: CompletionStatus,
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  next_action_status: Schema.NullOr(NextActionStatus)
})
export type LastOutcome = typeof LastOutcome.Type

/** A contact as a cohort lists it. */
export interface CohortContact {
  readonly user_phone_number: PhoneNumber
  readonly user_identifier: string
  readonly cohort_id: CohortId
  readonly agent_variables: Variables
  readonly app_overrides: AppOverrides
}

/** A contact of a campaign. A number is enrolled once per campaign, however many of its cohorts list it. */
export interface Contact extends CohortContact {
  readonly campaign_id: CampaignId
  readonly state: ContactState
  /** Earliest moment of the next dial, epoch milliseconds of business time. */
  readonly due_at: number
  /** Attempts made so far: the next one's `retry_attempt`. */
  readonly attempts: number
  readonly counters: RetryCounters
  /** Caller numbers of the attempts so far, in order. */
  readonly called_from: ReadonlyArray<PhoneNumber>
  /** The attempt in progress, while calling. */
  readonly attempt_id: AttemptId | null
  /** The gate's last decision about the contact. */
  readonly decision: GateResult
  /** Null until an attempt has ended. */
  readonly last_outcome: LastOutcome | null
}

/** A newly enrolled contact, due at once. */
export const newContact = (campaign_id: CampaignId, contact: CohortContact, at: number): Contact => ({
  user_phone_number: contact.user_phone_number,
  user_identifier: contact.user_identifier,
  cohort_id: contact.cohort_id,
  agent_variables: contact.agent_variables,
  app_overrides: contact.app_overrides,
  campaign_id,
  state: "waiting",
  due_at: at,
  attempts: 0,
  counters: noRetries,
  called_from: [],
  attempt_id: null,
  decision: allow("new", at),
  last_outcome: null
})

/** Number of contacts of a campaign by state. */
export type ContactCounts = Readonly<Record<ContactState, number>>

/** Filter and page of a list of contacts. */
export interface ContactListing {
  readonly state: ContactState | null
  /** The reason stored with the contacts; null matches any. */
  readonly reason: GateReason | null
  /** The whole number or identifier of one contact; empty matches all. */
  readonly search: string
  readonly limit: number
  /** Only contacts with a greater seat, in ascending order. */
  readonly after: number | null
  /** Only contacts with a smaller seat: the nearest ones, also in ascending order. Not combined with `after`. */
  readonly before: number | null
}

/** A contact with its seat: its position in the order of enrolment, which never changes. */
export interface SeatedContact {
  readonly seat: number
  readonly contact: Contact
}
