import {
  AppId,
  DeploymentId,
  InteractionId,
  PhoneNumber,
  Timestamp,
  Variables,
  WebhookMetadata
} from "@trunkline/kernel"
import { Schema } from "effect"
import { InteractionTranscript } from "./Transcript.js"

/** What a deployment's webhook tells of a finished inbound call (shapes 13). Every key is always there. */
export const InboundCallPayload = Schema.Struct({
  app_id: AppId,
  app_version: Schema.Int,
  deployment_id: DeploymentId,
  interaction_id: InteractionId,
  user_phone_number: PhoneNumber,
  agent_phone_number: PhoneNumber,
  /** Seconds. */
  duration: Schema.Finite,
  final_agent_variables: Variables,
  output_agent_variables: Variables,
  start_datetime: Timestamp,
  end_datetime: Timestamp,
  interaction_transcript: InteractionTranscript,
  /** The `metadata` of the webhook configuration. */
  metadata: Schema.NullOr(WebhookMetadata)
})
export type InboundCallPayload = typeof InboundCallPayload.Type
