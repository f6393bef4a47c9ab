import { issueType } from "@trunkline/errors"
import { Schema } from "effect"

/** Serialised bytes of `metadata` that a webhook configuration may carry (shapes 10.1). */
export const maxMetadataBytes = 4096

const maxSecretLength = 512

const utf8 = new TextEncoder()

/** Any JSON object that serialises to at most 4 KB; it comes back unchanged in every payload. */
export const WebhookMetadata = Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
  Schema.filter((metadata) => utf8.encode(JSON.stringify(metadata)).byteLength <= maxMetadataBytes, {
    message: () => `Should serialise to at most ${maxMetadataBytes} bytes`,
    ...issueType("value_error")
  })
)
export type WebhookMetadata = typeof WebhookMetadata.Type

/** What signs webhooks: `whsec_` and base64, or any text of at most 512 characters. Written, and never shown again. */
export const WebhookSecret = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(maxSecretLength))

/**
 * Where results are posted to (shapes 10.1): campaign `app_config.webhook_config`, outbound and deployment
 * `webhook_config`. What a URL must look like depends on the host's options: see {@link checkWebAddress}.
 */
export const WebhookConfig = Schema.Struct({
  url: Schema.String,
  metadata: Schema.optional(Schema.NullOr(WebhookMetadata)),
  /** Turns on signing: `whsec_` and base64, or any text. Write-only. */
  secret: Schema.optional(WebhookSecret)
})
export type WebhookConfig = typeof WebhookConfig.Type

/** A webhook configuration as it is shown: without its secret. */
export const PublicWebhookConfig = Schema.Struct({
  url: Schema.String,
  metadata: Schema.NullOr(WebhookMetadata)
})
export type PublicWebhookConfig = typeof PublicWebhookConfig.Type

/** Drops the write-only secret. */
export const publicWebhookConfig = ({ url, metadata }: WebhookConfig): PublicWebhookConfig => ({
  url,
  metadata: metadata ?? null
})

/** A configuration that is sent back as it was shown, with the same URL and without a secret, keeps the secret. */
export const keepingSecret = (given: WebhookConfig, before: WebhookConfig | null): WebhookConfig =>
  given.secret === undefined && before?.secret !== undefined && before.url === given.url
    ? { ...given, secret: before.secret }
    : given
