import { Either, Schema } from "effect"
import { CampaignAttemptPayload } from "./CampaignAttemptPayload.js"
import { InboundCallPayload } from "./InboundCallPayload.js"
import { OutboundCallPayload } from "./OutboundCallPayload.js"

/** Anything a webhook may tell. */
export const WebhookPayload = Schema.Union(CampaignAttemptPayload, InboundCallPayload, OutboundCallPayload)
export type WebhookPayload = typeof WebhookPayload.Type

/** A body above this is sent without its transcript, which `interaction_id` leads to. */
export const maxBodyBytes = 1024 * 1024

const toJson = Schema.encodeEither(Schema.parseJson(WebhookPayload))
const utf8 = new TextEncoder()

const encode = (payload: WebhookPayload): Uint8Array =>
  utf8.encode(Either.getOrThrowWith(toJson(payload), () => new Error("a webhook payload breaks its own schema")))

/**
 * The bytes that every try of a webhook sends: the payload as JSON, its keys in the order of the documentation.
 * Above 1 MB the transcript is left out (null). A payload that breaks its schema is a defect, which tells none of it.
 */
export const webhookBody = (payload: WebhookPayload): Uint8Array => {
  const whole = encode(payload)
  return whole.byteLength <= maxBodyBytes ? whole : encode({ ...payload, interaction_transcript: null })
}
