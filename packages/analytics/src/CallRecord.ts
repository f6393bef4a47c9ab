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

/** Party that ended a conversation. */
export const EndedBy = Schema.Literal("AGENT_ENDS", "USER_ENDS", "PROVIDER_ENDS", "TIMEOUT", "UNKNOWN")
export type EndedBy = typeof EndedBy.Type

/** A boolean in the encoding of the API: 1 or 0. */
export const Flag = Schema.Literal(0, 1)
export type Flag = typeof Flag.Type

/** Fields of every call, connected or not, that list items show. */
export const callFields = {
  attempt_id: AttemptId,
  app_id: AppId,
  app_version: Schema.Int,
  deployment_id: Schema.NullOr(DeploymentId),
  campaign_id: Schema.NullOr(CampaignId),
  cohort_id: Schema.NullOr(CohortId),
  user_identifier: Schema.String,
  /** HMAC-SHA256 of the number with the engine's salt: identifies a contact without revealing the number. */
  user_contact_hashed: Schema.String,
  channel_direction: Schema.Literal("inbound", "outbound"),
  /** `v2v` for voice. */
  channel_type: Schema.String,
  /** Key of the telephony provider. */
  channel_provider: Schema.String,
  /** Transport of the audio, such as `sip` or `websocket`. */
  channel_protocol: Schema.String,
  /** Number of earlier attempts for this contact in this campaign. */
  retry_attempt: Schema.NonNegativeInt,
  server_retry_attempt: Schema.NonNegativeInt,
  is_debug_call: Flag,
  has_log_issues: Flag,
  job_id: Schema.NullOr(Schema.String),
  /** Null on success, busy and no answer. */
  failure_reason: Schema.NullOr(Schema.String)
}

/** Outcome of an attempt: fields that attempt items have and interaction items do not. */
export const outcomeFields = {
  completion_status: CompletionStatus,
  /** Null if an internal fault hid it. */
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  /** Null if there is no next step. */
  next_action_status: Schema.NullOr(NextActionStatus),
  correlation_id: Schema.NullOr(Schema.String)
}

/** Conversation of a connected attempt. Times are business time. */
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
  /** Values at the end of the call. */
  agent_variables: Variables
})
export type Conversation = typeof Conversation.Type

/** Stored record of an ended attempt: an outbound dial or an inbound call. */
export class CallRecord extends Schema.Class<CallRecord>("CallRecord")({
  org_id: OrgId,
  workspace_id: WorkspaceId,
  ...callFields,
  ...outcomeFields,
  /** Number of the contact. Internal: shown only with `exposeUserContact`. */
  user_contact: PhoneNumber,
  /** Time of dialling or arrival, in business time. */
  attempted_at: Timestamp,
  /** Null if there was no conversation. */
  conversation: Schema.NullOr(Conversation)
}) {}

const MomentOfAnswer = Schema.NullOr(Timestamp)

/** Moments of an answer of the agent, on calls with sound; null where there was none. */
const AnswerTimings = Schema.Struct({
  /** Last voice of the person. */
  ended_at: MomentOfAnswer,
  /** Words of the person, with which the model was asked. */
  words_at: MomentOfAnswer,
  /** First token of the model. */
  first_token_at: MomentOfAnswer,
  /** First clause that could be spoken. */
  first_clause_at: MomentOfAnswer,
  /** First sound of the agent. */
  first_sound_at: MomentOfAnswer
})

/** Message of a speaker or result of a tool. */
export const TranscriptMessage = Schema.Struct({
  role: Schema.Literal("agent", "user", "tool"),
  /** Text in English. */
  en_text: Schema.String,
  /** Text in the spoken language, if that is not English. */
  indic_text: Schema.NullOr(Schema.String),
  language_name: Schema.NullOr(Schema.String),
  timestamp: Schema.NullOr(Timestamp),
  /** Name of the tool whose result the text is; only of tools. */
  tool_name: Schema.optionalWith(Schema.String, { exact: true }),
  /** Arguments of the tool as the model wrote them, normally JSON; only of tools. */
  tool_arguments: Schema.optionalWith(Schema.String, { exact: true }),
  /** Moments of the answer; only of the agent, on calls with sound. */
  timings: Schema.optionalWith(AnswerTimings, { exact: true })
})
export type TranscriptMessage = typeof TranscriptMessage.Type

/** Messages of a conversation in order. Stored apart from the record, so that lists do not load them. */
export class Transcript extends Schema.Class<Transcript>("Transcript")({
  interaction_id: InteractionId,
  messages: Schema.Array(TranscriptMessage)
}) {}
