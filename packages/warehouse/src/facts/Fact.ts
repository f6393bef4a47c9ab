import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  CompletionStatus,
  ConnectivityStatus,
  DeploymentId,
  InteractionId,
  NextActionStatus,
  Timestamp,
  Variables
} from "@trunkline/kernel"
import { Schema } from "effect"

/** A whole number of seconds or less, or any other figure that is not below zero. */
const Figure = Schema.NullOr(Schema.NonNegative)
const Moment = Schema.NullOr(Timestamp)
const Text = Schema.NullOr(Schema.String)
const Flag = Schema.Literal(0, 1)

/**
 * All that analysts may know of one ended attempt, as its end was reported: the row behind the board's view (shapes 7.4,
 * design: boards 3.3). What belongs to a conversation is null without one. Moments are business time.
 */
export class Fact extends Schema.Class<Fact>("Fact")({
  attempt_id: AttemptId,
  interaction_id: Schema.NullOr(InteractionId),
  app_id: AppId,
  app_version: Schema.Int,
  deployment_id: Schema.NullOr(DeploymentId),
  campaign_id: Schema.NullOr(CampaignId),
  cohort_id: Schema.NullOr(CohortId),
  /** Whom the attempt was for; erasure goes by it. */
  user_identifier: Schema.String,
  /** All but the last four digits hidden, unless the engine was told to expose numbers. */
  user_phone_number: Schema.String,
  /** The same for the same person, and nobody's number (shapes 6.1). */
  user_contact_hashed: Schema.String,
  agent_phone_number: Text,
  /** Who began it: a caller, a campaign, or a single outbound call. */
  direction: Schema.Literal("inbound", "campaign", "outbound"),
  channel_type: Schema.String,
  channel_provider: Schema.String,
  channel_protocol: Schema.String,
  completion_status: CompletionStatus,
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  next_action_status: Schema.NullOr(NextActionStatus),
  failure_reason: Text,
  ended_by: Text,
  language_name: Text,
  retry_attempt: Schema.NonNegativeInt,
  num_messages: Schema.NullOr(Schema.NonNegativeInt),
  user_turns: Schema.NullOr(Schema.NonNegativeInt),
  agent_turns: Schema.NullOr(Schema.NonNegativeInt),
  is_debug_call: Flag,
  has_log_issues: Flag,
  /** When it was decided on. */
  scheduled_at: Moment,
  /** When it was dialled or arrived. */
  executed_at: Timestamp,
  start_datetime: Moment,
  end_datetime: Moment,
  /** Seconds of conversation. */
  duration: Figure,
  /** Seconds from dialling to the conversation. */
  ring_seconds: Figure,
  average_agent_response_time_in_seconds: Figure,
  average_user_response_time_in_seconds: Figure,
  /** What the call cost, where the engine was told prices. */
  cost_amount: Figure,
  /** ISO 4217, beside every amount. */
  cost_currency: Text,
  initial_agent_variables: Schema.NullOr(Variables),
  final_agent_variables: Schema.NullOr(Variables),
  output_agent_variables: Schema.NullOr(Variables),
  /** What the caller of the API attached. */
  metadata: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
}) {}

/** What people call the things that a fact points to; null where nobody knows. Looked up when it is projected. */
export interface FactNames {
  readonly app_name: string | null
  readonly campaign_name: string | null
  readonly cohort_name: string | null
}
