import { AttemptId, CampaignId, CohortId, PhoneNumber, Variables } from "@trunkline/kernel"
import { AppOverrides } from "@trunkline/telephony"
import { Schema } from "effect"
import { RetryCounters } from "./RetryPolicy.js"

/** Where a person is in a campaign: waiting for a dial, on the phone, or done with. */
export const ContactState = Schema.Literal("waiting", "calling", "finished")
export type ContactState = typeof ContactState.Type

/** Why someone is done with who would have been called: a stop file of the campaign has their number. */
export const FinishReason = Schema.Literal("stopped")
export type FinishReason = typeof FinishReason.Type

/** One person in one campaign. A number appears once, whichever cohorts it came with (decisions 12). */
export class Contact extends Schema.Class<Contact>("Contact")({
  campaign_id: CampaignId,
  user_phone_number: PhoneNumber,
  user_identifier: Schema.String,
  cohort_id: CohortId,
  agent_variables: Variables,
  app_overrides: AppOverrides,
  state: ContactState,
  /** Not dialled before this moment: epoch milliseconds of business time. */
  due_at: Schema.Number,
  /** Attempts made so far: the next one's `retry_attempt`. */
  attempts: Schema.Int,
  counters: RetryCounters,
  /** Our number of every attempt so far, in order. */
  called_from: Schema.Array(PhoneNumber),
  /** The attempt under way, while calling. */
  attempt_id: Schema.NullOr(AttemptId),
  /** Null while they are not finished, and when their calls came to an end by themselves. */
  finished_because: Schema.optionalWith(Schema.NullOr(FinishReason), { default: () => null })
}) {}
