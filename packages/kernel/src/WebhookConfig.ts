import { issueType } from "@trunkline/errors"
import { Either, Encoding, Schema } from "effect"

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

/** What signs webhooks, as it is kept: any text of at most 512 characters. Written, and never shown again. */
export const WebhookSecret = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(maxSecretLength))

const keyPrefix = "whsec_"

/** Whether a text is base64 of at least a byte: receivers of Standard Webhooks take nothing else after `whsec_`. */
const isKey = (text: string): boolean => {
  const decoded = Encoding.decodeBase64(text)
  return Either.isRight(decoded) && decoded.right.byteLength > 0
}

/**
 * A secret as a request gives it: `whsec_` and the base64 of a key, or any other text. What is kept may be older than
 * this rule, and is read with {@link WebhookSecret}.
 */
export const GivenWebhookSecret = WebhookSecret.pipe(
  Schema.filter((secret) => !secret.startsWith(keyPrefix) || isKey(secret.slice(keyPrefix.length)), {
    message: () =>
      "Should be whsec_ and the base64 of a key, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, or a text that does not "
      + "begin with whsec_",
    ...issueType("value_error")
  })
)

/**
 * Where results are posted to (shapes 10.1): campaign `app_config.webhook_config`, outbound and deployment
 * `webhook_config`. What a URL must look like depends on the host's options: see {@link checkWebAddress}.
 */
export const WebhookConfig = Schema.Struct({
  url: Schema.String,
  metadata: Schema.optional(Schema.NullOr(WebhookMetadata)),
  /** Turns on signing. Write-only. */
  secret: Schema.optional(WebhookSecret)
})
export type WebhookConfig = typeof WebhookConfig.Type

/** A webhook configuration as a request gives it: its secret is one that receivers can verify with. */
export const GivenWebhookConfig = Schema.Struct({
  ...WebhookConfig.fields,
  secret: Schema.optional(GivenWebhookSecret)
})

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
