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
import { allow, type Decision } from "../gate/Decision.js"
import { noRetries, type RetryCounters } from "../retry/RetryPolicy.js"

/** Where a person is in a campaign: waiting for a dial, on the phone, or done with. */
export const ContactState = Schema.Literal("waiting", "calling", "finished")
export type ContactState = typeof ContactState.Type

/** What came of a person's last attempt, in the words of the API (specification, Attempt outcome values). */
export const LastOutcome = Schema.Struct({
  completion_status: CompletionStatus,
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  next_action_status: Schema.NullOr(NextActionStatus)
})
export type LastOutcome = typeof LastOutcome.Type

/** Somebody as a cohort names them. */
export interface Person {
  readonly user_phone_number: PhoneNumber
  readonly user_identifier: string
  readonly cohort_id: CohortId
  readonly agent_variables: Variables
  readonly app_overrides: AppOverrides
}

/** One person in one campaign. A number appears once, whichever cohorts it came with (decisions 12). */
export interface Contact extends Person {
  readonly campaign_id: CampaignId
  readonly state: ContactState
  /** Not dialled before this moment: epoch milliseconds of business time. */
  readonly due_at: number
  /** Attempts made so far: the next one's `retry_attempt`. */
  readonly attempts: number
  readonly counters: RetryCounters
  /** Our number of every attempt so far, in order. */
  readonly called_from: ReadonlyArray<PhoneNumber>
  /** The attempt under way, while calling. */
  readonly attempt_id: AttemptId | null
  /** What was decided about their next call, and why. */
  readonly decision: Decision
  /** Null until an attempt has ended. */
  readonly last_outcome: LastOutcome | null
}

/** Somebody who has just been enrolled, due at once. */
export const newcomer = (campaign_id: CampaignId, person: Person, at: number): Contact => ({
  user_phone_number: person.user_phone_number,
  user_identifier: person.user_identifier,
  cohort_id: person.cohort_id,
  agent_variables: person.agent_variables,
  app_overrides: person.app_overrides,
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
