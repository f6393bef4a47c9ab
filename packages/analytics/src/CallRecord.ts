import {
  AfterCallResult,
  AppId,
  AttemptId,
  CallAnswer,
  CampaignId,
  CohortId,
  CompletionStatus,
  ConnectivityStatus,
  conversationFields,
  CostLedger,
  DeploymentId,
  InteractionId,
  modelInputFields,
  NextActionStatus,
  OrgId,
  PhoneNumber,
  Timestamp,
  TurnEnd,
  WorkspaceId
} from "@trunkline/kernel"
import { Schema, Struct } from "effect"

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

/**
 * Fate of the recording of a call. `kept`: all of it. `partial`: some of it, since storing it failed or its process stopped.
 * `failed`: none of it. `refused`: nobody consented, so that nothing is kept.
 */
const RecordingFate = Schema.Struct({
  status: Schema.Literal("kept", "partial", "failed", "refused"),
  /** Why it is not whole; null for `kept`. */
  reason: Schema.NullOr(Schema.String),
  /** Seconds of sound that are kept. */
  seconds: Schema.NonNegative
})

/** Fields of a conversation in records, which have its variables under another name. */
export const recordFields = Struct.omit(conversationFields, "final_agent_variables", "output_agent_variables")

/** Conversation of a connected attempt. Times are business time. */
export const ConversationRecord = Schema.Struct({
  interaction_id: InteractionId,
  start_datetime: Timestamp,
  end_datetime: Timestamp,
  duration_in_seconds: Schema.NonNegative,
  ...recordFields,
  num_messages: Schema.NonNegativeInt,
  average_agent_response_time_in_seconds: Schema.NullOr(Schema.NonNegative),
  average_user_response_time_in_seconds: Schema.NullOr(Schema.NonNegative),
  /** Path of the recording below the URL of the server; null where no sound was kept. */
  audio_url: Schema.NullOr(Schema.String),
  /** Fate of the recording; absent for a call that was not recorded. */
  recording: Schema.optionalWith(RecordingFate, { exact: true }),
  ended_by: Schema.NullOr(EndedBy),
  /** Values at the end of the call. */
  agent_variables: conversationFields.final_agent_variables
})
export type ConversationRecord = typeof ConversationRecord.Type

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
  conversation: Schema.NullOr(ConversationRecord),
  /** Findings after the end; absent of agents without `after_call`. */
  after_call: Schema.optionalWith(AfterCallResult, { exact: true }),
  /** Costs of the call; absent where the engine had no prices. */
  costs: Schema.optionalWith(CostLedger, { exact: true })
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

/** A call that one agent has handed over to another, and what the next one was told of the conversation. */
const HandedOver = Schema.Struct({
  from_app_id: AppId,
  from_app_version: Schema.Int,
  to_app_id: AppId,
  to_app_version: Schema.Int,
  /** `keep`: all of the conversation. `last_turns`: its last turns. `summary`: a summary by the model. */
  history: Schema.Literal("keep", "last_turns", "summary"),
  /** Reason in the words of the model. */
  reason: Schema.String
})

/** Transfer of a call to a person or a number. */
const TransferDetail = Schema.Struct({
  /** Name of the target in the agent's definition. */
  target: Schema.String,
  /** Number in E.164 or SIP URI that was called. */
  to: Schema.String,
  /** `warm` where the person was told first what it is about. */
  kind: Schema.Literal("blind", "warm"),
  /** Outcome; `cancelled` when the caller hung up first. After any other than `transferred`, the caller was back with the agent. */
  outcome: Schema.Literal("transferred", "no_answer", "busy", "declined", "failed", "cancelled"),
  /** Why it came to nothing; null where the outcome says all. */
  reason: Schema.NullOr(Schema.String),
  /** `provider` where it connected both sides, `bridge` where their sound went through the engine; null unless transferred. */
  by: Schema.NullOr(Schema.Literal("provider", "bridge")),
  started_at: Timestamp,
  /** Moment at which the target answered the engine's call; null where it did not, or where the provider called it. */
  answered_at: Schema.NullOr(Timestamp),
  /** Moment at which both sides were connected, or at which it came to nothing. */
  ended_at: Timestamp,
  /** Keys that were sent after the answer, each as `*` where the agent hides them; null for none. */
  digits: Schema.NullOr(Schema.String)
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
  /**
   * Outcome of the use; only of tools. `done`: with an answer. `timed_out`: without one in time. `refused`: it
   * did not run, since a rule of the conversation forbade it.
   */
  tool_outcome: Schema.optionalWith(Schema.Literal("done", "failed", "timed_out", "wrong_arguments", "refused"), {
    exact: true
  }),
  /** Seconds that the use of the tool took; only of tools. */
  tool_seconds: Schema.optionalWith(Schema.Number, { exact: true }),
  /** A hand-over of the call to another agent; only of the tool `hand_over`. */
  handed_over: Schema.optionalWith(HandedOver, { exact: true }),
  /** The agent that spoke; only of agents to which the call was handed over. */
  app_id: Schema.optionalWith(AppId, { exact: true }),
  /** Transfer that the tool has tried; only of `transfer_call`. */
  transfer: Schema.optionalWith(TransferDetail, { exact: true }),
  /** Moments of the answer; only of the agent, on calls with sound. */
  timings: Schema.optionalWith(AnswerTimings, { exact: true }),
  /** Why the turn ended; only of the person, on calls with sound. */
  turn_end: Schema.optionalWith(TurnEnd, { exact: true }),
  /** Moment at which another process went on with the call, since its own had stopped: before this message. Absent: none did. */
  resumed_at: Schema.optionalWith(Timestamp, { exact: true })
})
export type TranscriptMessage = typeof TranscriptMessage.Type

/** Messages of a conversation in order. Stored apart from the record, so that lists do not load them. */
export class Transcript extends Schema.Class<Transcript>("Transcript")({
  interaction_id: InteractionId,
  messages: Schema.Array(TranscriptMessage),
  /** Party that answered, and what was done; absent where nobody was to find out. */
  answer: Schema.optionalWith(CallAnswer, { exact: true })
}) {}

/**
 * Request to the model for one answer, as the difference to the request before it in the same call. Stored apart from the
 * record, as transcripts are; calls that failed have it too.
 */
export const ModelInput = Schema.Struct({
  /** Time at which it was sent. */
  at: Timestamp,
  ...modelInputFields
})
export type ModelInput = typeof ModelInput.Type
