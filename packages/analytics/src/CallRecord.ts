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
  OrgId,
  PhoneNumber,
  Timestamp,
  Variables,
  WorkspaceId
} from "@trunkline/kernel"
import { Schema } from "effect"

/** Who brought a conversation to its end (shapes 6.1). */
export const EndedBy = Schema.Literal("AGENT_ENDS", "USER_ENDS", "PROVIDER_ENDS", "TIMEOUT", "UNKNOWN")
export type EndedBy = typeof EndedBy.Type

/** Yes and no, as the API spells them: 1 and 0. */
export const Flag = Schema.Literal(0, 1)
export type Flag = typeof Flag.Type

/** What every call has and every item shows, connected or not. */
export const callFields = {
  attempt_id: AttemptId,
  app_id: AppId,
  app_version: Schema.Int,
  deployment_id: Schema.NullOr(DeploymentId),
  campaign_id: Schema.NullOr(CampaignId),
  cohort_id: Schema.NullOr(CohortId),
  user_identifier: Schema.String,
  /** SHA-256 of the number, keyed by the engine's salt: the same person has the same hash, and no number is shown. */
  user_contact_hashed: Schema.String,
  channel_direction: Schema.Literal("inbound", "outbound"),
  /** `v2v` for voice. */
  channel_type: Schema.String,
  /** The telephony provider's key. */
  channel_provider: Schema.String,
  /** How speech travels, such as `sip` or `websocket`. */
  channel_protocol: Schema.String,
  /** Earlier attempts for this person in this campaign. */
  retry_attempt: Schema.NonNegativeInt,
  server_retry_attempt: Schema.NonNegativeInt,
  is_debug_call: Flag,
  has_log_issues: Flag,
  job_id: Schema.NullOr(Schema.String),
  /** Null on success, busy and no answer (shapes 3.9). */
  failure_reason: Schema.NullOr(Schema.String)
}

/** How an attempt went; what an attempt item shows beyond an interaction item (shapes 6.2). */
export const outcomeFields = {
  completion_status: CompletionStatus,
  /** Null when a fault of ours kept it from being known. */
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  /** Null is the end. */
  next_action_status: Schema.NullOr(NextActionStatus),
  correlation_id: Schema.NullOr(Schema.String)
}

/** The conversation of a connected attempt (shapes 6.1). Moments are business time. */
export const Conversation = Schema.Struct({
  interaction_id: InteractionId,
  start_datetime: Timestamp,
  end_datetime: Timestamp,
  duration_in_seconds: Schema.NonNegative,
  language_name: Schema.NullOr(Schema.String),
  num_messages: Schema.NonNegativeInt,
  average_agent_response_time_in_seconds: Schema.NullOr(Schema.NonNegative),
  average_user_response_time_in_seconds: Schema.NullOr(Schema.NonNegative),
  audio_url: Schema.NullOr(Schema.String),
  ended_by: Schema.NullOr(EndedBy),
  /** Their values when the call ended. */
  agent_variables: Variables
})
export type Conversation = typeof Conversation.Type

/** One attempt that has ended, as it is kept: an outbound dial or an inbound arrival (shapes 6.2). */
export class CallRecord extends Schema.Class<CallRecord>("CallRecord")({
  org_id: OrgId,
  workspace_id: WorkspaceId,
  ...callFields,
  ...outcomeFields,
  /** The other side's number. Internal: only `exposeUserContact` lets it out. */
  user_contact: PhoneNumber,
  /** The moment of dialling or arrival, business time. */
  attempted_at: Timestamp,
  /** Null when no conversation took place. */
  conversation: Schema.NullOr(Conversation)
}) {}
