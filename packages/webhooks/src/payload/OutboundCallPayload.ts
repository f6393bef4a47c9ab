import {
  AttemptId,
  ConnectivityStatus,
  InteractionId,
  PhoneNumber,
  Variables,
  WebhookMetadata
} from "@trunkline/kernel"
import { Schema } from "effect"
import { InteractionTranscript } from "./Transcript.js"

/** What a webhook tells of a finished single outbound call (shapes 13). Every key is always there. */
export const OutboundCallPayload = Schema.Struct({
  attempt_id: AttemptId,
  status: ConnectivityStatus,
  channel_info: Schema.Struct({
    channel_type: Schema.Literal("v2v", "whatsapp"),
    /** The connection's provider. */
    channel_provider: Schema.String,
    agent_phone_number: PhoneNumber
  }),
  /** Seconds; null when not connected. */
  duration: Schema.NullOr(Schema.Finite),
  interaction_id: Schema.NullOr(InteractionId),
  failure_reason: Schema.NullOr(Schema.String),
  final_agent_variables: Schema.NullOr(Variables),
  /** The request's configuration, without its secret. */
  webhook_config: Schema.NullOr(
    Schema.Struct({ url: Schema.String, metadata: Schema.NullOr(WebhookMetadata) })
  ),
  interaction_transcript: InteractionTranscript
})
export type OutboundCallPayload = typeof OutboundCallPayload.Type
