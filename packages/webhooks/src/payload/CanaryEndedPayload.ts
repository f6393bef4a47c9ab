import { canaryEndedFields, jsonWriter, WebhookMetadata } from "@trunkline/kernel"
import { Schema } from "effect"

/**
 * Payload of a campaign's webhook for a canary that has ended: stopped by its outcomes or by a request, promoted, or ended with its
 * campaign. All keys are always present; `type` tells it from those of calls.
 */
export const CanaryEndedPayload = Schema.Struct({
  ...canaryEndedFields,
  /** `metadata` of the webhook configuration. */
  metadata: Schema.NullOr(WebhookMetadata)
})
export type CanaryEndedPayload = typeof CanaryEndedPayload.Type

const write = jsonWriter(CanaryEndedPayload)
const utf8 = new TextEncoder()

/** Encodes a payload as JSON, with keys in the documented order. */
export const canaryEndedBody = (payload: CanaryEndedPayload): Uint8Array => utf8.encode(write(payload))
