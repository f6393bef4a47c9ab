import {
  afterCallFields,
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
  jsonWriter,
  NextActionStatus,
  nullableConversationFields,
  PhoneNumber,
  Timestamp,
  Variables,
  WebhookMetadata
} from "@trunkline/kernel"
import { Either, Schema, Struct } from "effect"

/** A turn of a conversation in a webhook. */
export const TranscriptTurn = Schema.Struct({
  role: Schema.Literal("agent", "user"),
  /** Text in English. */
  en_text: Schema.String,
  /** Text in the language that was spoken. */
  indic_text: Schema.optional(Schema.NullOr(Schema.String))
})
export type TranscriptTurn = typeof TranscriptTurn.Type

/** Turns in order; null if there was no conversation, or if its text is too long for a webhook. */
const InteractionTranscript = Schema.NullOr(Schema.Array(TranscriptTurn))

/** Fields of the conversation in webhooks, which do not have its language. */
const webhookFields = Struct.omit(nullableConversationFields, "language_name")

/** Payload of a campaign's webhook for a finished call attempt, connected or not. All keys are always present; null if not applicable. */
export const CampaignAttemptPayload = Schema.Struct({
  app_id: AppId,
  app_version: Schema.Int,
  attempt_id: AttemptId,
  campaign_id: CampaignId,
  cohort_id: CohortId,
  completion_status: CompletionStatus,
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  /** Next step for this contact; null if there is none. */
  next_action_status: Schema.NullOr(NextActionStatus),
  failure_reason: Schema.NullOr(Schema.String),
  /** The words by which the caller refused all further calls; null without any. */
  opt_out: Schema.NullOr(Schema.String),
  /** Party that answered, and what was done; null where nobody was to find out, and unless the call connected. */
  answer: Schema.NullOr(CallAnswer),
  user_identifier: Schema.String,
  user_phone_number: PhoneNumber,
  agent_phone_number: Schema.NullOr(PhoneNumber),
  /** Seconds; null if not connected, as are all fields below except `retry_attempt`, `executed_at` and the last three. */
  duration: Schema.NullOr(Schema.Finite),
  /** Key of the transcript and recording. */
  interaction_id: Schema.NullOr(InteractionId),
  /** 0 for the first attempt, 1 for the first retry. */
  retry_attempt: Schema.NonNegativeInt,
  /** Time of dialling. */
  executed_at: Schema.NullOr(Timestamp),
  start_datetime: Schema.NullOr(Timestamp),
  end_datetime: Schema.NullOr(Timestamp),
  /** Variables from the cohort. */
  initial_agent_variables: Schema.NullOr(Variables),
  ...webhookFields,
  ...afterCallFields,
  interaction_transcript: InteractionTranscript,
  /** `metadata` of the webhook configuration. */
  metadata: Schema.NullOr(WebhookMetadata),
  /** Costs of the call; null where the engine has no prices. */
  costs: Schema.NullOr(CostLedger)
})
export type CampaignAttemptPayload = typeof CampaignAttemptPayload.Type

/** Payload of a deployment's webhook for a finished inbound call. All keys are always present. */
export const InboundCallPayload = Schema.Struct({
  app_id: AppId,
  app_version: Schema.Int,
  deployment_id: DeploymentId,
  interaction_id: InteractionId,
  user_phone_number: PhoneNumber,
  agent_phone_number: PhoneNumber,
  /** Seconds. */
  duration: Schema.Finite,
  /** The words by which the caller refused all further calls; null without any. */
  opt_out: Schema.NullOr(Schema.String),
  ...webhookFields,
  final_agent_variables: conversationFields.final_agent_variables,
  output_agent_variables: conversationFields.output_agent_variables,
  start_datetime: Timestamp,
  end_datetime: Timestamp,
  ...afterCallFields,
  interaction_transcript: InteractionTranscript,
  /** `metadata` of the webhook configuration. */
  metadata: Schema.NullOr(WebhookMetadata),
  /** Costs of the call; null where the engine has no prices. */
  costs: Schema.NullOr(CostLedger)
})
export type InboundCallPayload = typeof InboundCallPayload.Type

/** Payload of a webhook for a finished single outbound call. All keys are always present. */
export const OutboundCallPayload = Schema.Struct({
  attempt_id: AttemptId,
  status: ConnectivityStatus,
  channel_info: Schema.Struct({
    channel_type: Schema.Literal("v2v", "whatsapp"),
    /** Provider of the connection. */
    channel_provider: Schema.String,
    agent_phone_number: PhoneNumber
  }),
  /** Seconds; null if not connected. */
  duration: Schema.NullOr(Schema.Finite),
  interaction_id: Schema.NullOr(InteractionId),
  failure_reason: Schema.NullOr(Schema.String),
  /** The words by which the caller refused all further calls; null without any. */
  opt_out: Schema.NullOr(Schema.String),
  /** Party that answered, and what was done; null where nobody was to find out, and unless the call connected. */
  answer: Schema.NullOr(CallAnswer),
  ...Struct.omit(webhookFields, "output_agent_variables"),
  /** Webhook configuration of the request, without its secret. */
  webhook_config: Schema.NullOr(
    Schema.Struct({ url: Schema.String, metadata: Schema.NullOr(WebhookMetadata) })
  ),
  ...afterCallFields,
  interaction_transcript: InteractionTranscript,
  /** Costs of the call; null where the engine has no prices. */
  costs: Schema.NullOr(CostLedger)
})
export type OutboundCallPayload = typeof OutboundCallPayload.Type

/** Payload of a webhook for an ended call. */
export const WebhookPayload = Schema.Union(CampaignAttemptPayload, InboundCallPayload, OutboundCallPayload)
export type WebhookPayload = typeof WebhookPayload.Type

/** Size above which a body is sent without its transcript, which is available by `interaction_id`. */
export const maxBodyBytes = 1024 * 1024

const writeCampaignAttempt = jsonWriter(CampaignAttemptPayload)
const writeInboundCall = jsonWriter(InboundCallPayload)
const writeOutboundCall = jsonWriter(OutboundCallPayload)
const utf8 = new TextEncoder()

const toJson = (payload: WebhookPayload): string =>
  "channel_info" in payload
    ? writeOutboundCall(payload)
    : "campaign_id" in payload
    ? writeCampaignAttempt(payload)
    : writeInboundCall(payload)

const encode = (payload: WebhookPayload): Uint8Array =>
  utf8.encode(Either.getOrThrowWith(
    Either.try(() => toJson(payload)),
    () => new Error("a webhook payload does not match its schema")
  ))

/**
 * Encodes a payload as JSON, with keys in the documented order. Every try sends these bytes. Above 1 MB the transcript is
 * null. A payload that does not match its schema is a defect whose message does not repeat it.
 */
export const webhookBody = (payload: WebhookPayload): Uint8Array => {
  const bytes = encode(payload)
  return bytes.byteLength <= maxBodyBytes ? bytes : encode({ ...payload, interaction_transcript: null })
}
