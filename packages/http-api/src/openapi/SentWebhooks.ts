import { CallEnded } from "@trunkline/engine"
import { ReportMessage } from "@trunkline/notifications"
import {
  CampaignAttemptPayload,
  CanaryEndedPayload,
  InboundCallPayload,
  OutboundCallPayload
} from "@trunkline/webhooks"
import type { Schema } from "effect"

/** A request that the engine sends, as OpenAPI describes it. */
export interface WebhookOperation {
  readonly operationId: string
  readonly tags: readonly ["webhooks"]
  readonly summary: string
  readonly description: string
  readonly security: readonly []
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: "header"
    readonly required: boolean
    readonly description: string
    readonly schema: object
  }>
  readonly requestBody: {
    readonly required: true
    readonly content: { readonly "application/json": { readonly schema: { readonly $ref: string } } }
  }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

/** Headers by Standard Webhooks. */
const signedHeaders: WebhookOperation["parameters"] = [
  {
    name: "webhook-id",
    in: "header",
    required: true,
    description: "The same on every try: ignore the ids that you have received",
    schema: { type: "string" }
  },
  {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description: "Time of this try in Unix seconds",
    schema: { type: "string", pattern: "^[0-9]+$" }
  },
  {
    name: "webhook-signature",
    in: "header",
    required: false,
    description: "Signatures separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Absent "
      + "without a secret",
    schema: { type: "string" }
  }
]

const responses = {
  "2XX": { description: "Accepted. Any other response but 410 is retried" },
  "410": { description: "Stop sending to this URL" }
}

const reportResponses = {
  "2XX": { description: "Accepted. Any other response but 400, 403, 404 and 410 is retried" },
  "400": { description: "The same message is sent once more, without `blocks`" }
}

/** A kind of webhook: the schema and the name of its body, what it reports, and whether its receiver can verify it. */
interface SentWebhook {
  readonly id: string
  readonly schema: Schema.Schema.All
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly isSigned: boolean
}

const sentWebhooks: Readonly<Record<string, SentWebhook>> = {
  "campaign-attempt-ended": {
    id: "campaignAttemptEnded",
    schema: CampaignAttemptPayload,
    name: "CampaignAttemptPayload",
    summary: "A campaign attempt has ended",
    description: "Sent to the campaign's `app_config.webhook_config`, whether or not the call was connected.",
    isSigned: true
  },
  "canary-ended": {
    id: "canaryEnded",
    schema: CanaryEndedPayload,
    name: "CanaryEndedPayload",
    summary: "The canary of a campaign has ended",
    description:
      "Sent to the campaign's `app_config.webhook_config` when its canary stops itself, is stopped or promoted, or ends with the campaign.",
    isSigned: true
  },
  "inbound-call-ended": {
    id: "inboundCallEnded",
    schema: InboundCallPayload,
    name: "InboundCallPayload",
    summary: "An inbound call has ended",
    description: "Sent to the deployment's `webhook_config` after a conversation.",
    isSigned: true
  },
  "outbound-call-ended": {
    id: "outboundCallEnded",
    schema: OutboundCallPayload,
    name: "OutboundCallPayload",
    summary: "A single call has ended",
    description: "Sent to the `webhook_config` of the request that started the call.",
    isSigned: true
  },
  "call-ended": {
    id: "callEnded",
    schema: CallEnded,
    name: "CallEnded",
    summary: "A call of any workspace has ended",
    description: "Sent to the engine's `callEndedWebhook` for every call.",
    isSigned: true
  },
  report: {
    id: "report",
    schema: ReportMessage,
    name: "ReportMessage",
    summary: "A notification rule has run",
    description: "Sent to the rule's `slack_webhook_url`, in Slack's format and without a signature.",
    isSigned: false
  }
}

/** Schemas of the bodies of webhooks, which become components of the document. */
export const webhookSchemas: ReadonlyArray<Schema.Schema.All> = Object.values(sentWebhooks).map(({ name, schema }) =>
  schema.annotations({ identifier: name })
)

/** The webhooks that the engine sends, by name. */
export const webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>> = Object.fromEntries(
  Object.entries(sentWebhooks).map(([key, { description, id, isSigned, name, summary }]) => [key, {
    post: {
      operationId: `webhooks.${id}`,
      tags: ["webhooks"],
      summary,
      description,
      security: [],
      parameters: isSigned ? signedHeaders : [],
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } }
      },
      responses: isSigned ? responses : reportResponses
    }
  }])
)
