import {
  afterCallFields,
  type AfterCallResult,
  AppId,
  AttemptId,
  CallAnswer,
  CampaignId,
  CohortId,
  CompletionStatus,
  ConnectivityStatus,
  CostLedger,
  DeploymentId,
  InteractionId,
  jsonWriter,
  NextActionStatus,
  nullableConversationFields,
  OrgId,
  PhoneNumber,
  Timestamp,
  Variables,
  WebhookMetadata,
  WorkspaceId
} from "@trunkline/kernel"
import { type Attempt, type AttemptResult, HandedOver, ToolUseOutcome, TransferRecord } from "@trunkline/telephony"
import { DateTime, Schema, Struct } from "effect"
import { audioUrlOf } from "./Analytics.js"
import { endedFields } from "./EndedFields.js"

/** A turn of the transcript of an ended call. */
export const CallTurn = Schema.Struct({
  /** `tool` for the result of a tool. */
  role: Schema.Literal("agent", "user", "tool"),
  /** Text in English. */
  en_text: Schema.String,
  /** Text in the language that was spoken; absent for English. */
  indic_text: Schema.optional(Schema.NullOr(Schema.String)),
  /** Name of the tool; only of tools, as its arguments, its outcome and the seconds that it took. */
  tool_name: Schema.optional(Schema.String),
  tool_arguments: Schema.optional(Schema.String),
  tool_outcome: Schema.optional(ToolUseOutcome),
  tool_seconds: Schema.optional(Schema.Number),
  /** Hand-over of the call to another agent; only of the tool `hand_over`. */
  handed_over: Schema.optional(HandedOver),
  /** The agent that spoke; only of agents to which the call was handed over. */
  app_id: Schema.optional(AppId),
  /** Transfer that the tool has tried; its moments are epoch milliseconds. */
  transfer: Schema.optional(TransferRecord),
  at: Timestamp
})

/** A call that has ended: its outcome, variables and transcript. Fields of the conversation are null without one. */
export const CallEnded = Schema.Struct({
  attempt_id: AttemptId,
  org_id: OrgId,
  workspace_id: WorkspaceId,
  kind: Schema.Literal("campaign", "outbound", "inbound"),
  app_id: AppId,
  app_version: Schema.Int,
  campaign_id: Schema.NullOr(CampaignId),
  cohort_id: Schema.NullOr(CohortId),
  deployment_id: Schema.NullOr(DeploymentId),
  /** Your own id of the contact; the phone number when none was given. */
  user_identifier: Schema.String,
  user_phone_number: PhoneNumber,
  agent_phone_number: PhoneNumber,
  /** Number of earlier attempts for this contact in this campaign. */
  retry_attempt: Schema.Int,
  completion_status: CompletionStatus,
  /** Outcome of dialling; null when the number was not dialled. */
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  /** Next step for this contact; null if there is none. */
  next_action_status: Schema.NullOr(NextActionStatus),
  failure_reason: Schema.NullOr(Schema.String),
  /** The words by which the caller refused all further calls; null without any. */
  opt_out: Schema.NullOr(Schema.String),
  /** Party that answered, and what was done; null where nobody was to find out, and unless the call connected. */
  answer: Schema.NullOr(CallAnswer),
  /** Time at which the call was dialled or arrived. */
  executed_at: Timestamp,
  start_datetime: Schema.NullOr(Timestamp),
  end_datetime: Schema.NullOr(Timestamp),
  /** Seconds of conversation. */
  duration: Schema.NullOr(Schema.Finite),
  /** Key of the transcript and recording. */
  interaction_id: Schema.NullOr(InteractionId),
  /** Path of the recording below the URL of the server; null where no sound was kept. */
  audio_url: Schema.NullOr(Schema.String),
  /** Variables that the call began with. */
  initial_agent_variables: Variables,
  ...Struct.omit(nullableConversationFields, "language_name"),
  ...afterCallFields,
  transcript: Schema.NullOr(Schema.Array(CallTurn)),
  /** Costs of the call; null where the engine has no prices. */
  costs: Schema.NullOr(CostLedger),
  /** `metadata` of the webhook configuration. */
  metadata: Schema.NullOr(WebhookMetadata)
})
export type CallEnded = typeof CallEnded.Type

const encode = Schema.encodeSync(CallEnded)
const writeJson = jsonWriter(CallEnded)
const utf8 = new TextEncoder()

/** Builds the report of an ended attempt. */
const callEnded = (attempt: Attempt, result: AttemptResult, after: AfterCallResult | null): CallEnded => ({
  org_id: attempt.org_id,
  workspace_id: attempt.workspace_id,
  kind: attempt.kind,
  audio_url: result.interaction && audioUrlOf(attempt, result.interaction),
  transcript: result.interaction && result.interaction.transcript.map(({ at, ...turn }) => ({
    ...turn,
    at: DateTime.unsafeMake(at)
  })),
  ...endedFields(attempt, result, after)
})

/** The report of an ended attempt as plain JSON values. */
export const plainCallEnded = (
  attempt: Attempt,
  result: AttemptResult,
  after: AfterCallResult | null
): typeof CallEnded.Encoded => encode(callEnded(attempt, result, after))

/** The report of an ended attempt as the bytes of a webhook. */
export const callEndedBody = (attempt: Attempt, result: AttemptResult, after: AfterCallResult | null): Uint8Array =>
  utf8.encode(writeJson(callEnded(attempt, result, after)))
