import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  CompletionStatus,
  ConnectivityStatus,
  InteractionId,
  NextActionStatus,
  PhoneNumber,
  Timestamp,
  Variables,
  WebhookMetadata
} from "@trunkline/kernel"
import { Schema } from "effect"
import { InteractionTranscript } from "./Transcript.js"

/**
 * What a campaign's webhook tells of one finished call attempt, connected or not (specification, Events).
 * Every key is always there; what does not apply is null.
 */
export const CampaignAttemptPayload = Schema.Struct({
  app_id: AppId,
  app_version: Schema.Int,
  attempt_id: AttemptId,
  campaign_id: CampaignId,
  cohort_id: CohortId,
  completion_status: CompletionStatus,
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  /** What happens to this user next; null when nothing more does. */
  next_action_status: Schema.NullOr(NextActionStatus),
  failure_reason: Schema.NullOr(Schema.String),
  user_identifier: Schema.String,
  user_phone_number: PhoneNumber,
  agent_phone_number: Schema.NullOr(PhoneNumber),
  /** Seconds; null when not connected, like all that follows but `retry_attempt`, `executed_at` and the last two. */
  duration: Schema.NullOr(Schema.Finite),
  /** Leads to transcript and recording. */
  interaction_id: Schema.NullOr(InteractionId),
  /** 0 for the first attempt, 1 for the first retry. */
  retry_attempt: Schema.NonNegativeInt,
  /** When it was dialled. */
  executed_at: Schema.NullOr(Timestamp),
  start_datetime: Schema.NullOr(Timestamp),
  end_datetime: Schema.NullOr(Timestamp),
  /** As the cohort gave them. */
  initial_agent_variables: Schema.NullOr(Variables),
  final_agent_variables: Schema.NullOr(Variables),
  /** What the agent collected during the call. */
  output_agent_variables: Schema.NullOr(Variables),
  interaction_transcript: InteractionTranscript,
  /** The `metadata` of the webhook configuration. */
  metadata: Schema.NullOr(WebhookMetadata)
})
export type CampaignAttemptPayload = typeof CampaignAttemptPayload.Type
