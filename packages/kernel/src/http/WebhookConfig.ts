import { Invalid, issueType, type Loc } from "@trunkline/errors"
import { Context, Effect, Either, Encoding, Option, Schema } from "effect"
import type { Scope } from "../ids/Ids.js"

const maxUrlLength = 2048

/** Rules for the web addresses that callers may give to the engine. */
export class WebAddressRules extends Context.Reference<WebAddressRules>()("@trunkline/kernel/WebAddressRules", {
  /** `allowInsecureUrls` admits `http:`; it is false by default. */
  defaultValue: (): { readonly allowInsecureUrls: boolean } => ({ allowInsecureUrls: false })
}) {}

/** Parses with `new URL`: `URL.canParse` misreads names like "bücher.example" on Node 20 and 22 when it is called often. */
const parseAddress = Option.liftThrowable((address: string) => new URL(address))

/**
 * Describes the problem of a web address, or returns null for a valid one.
 *
 * An address has to be absolute, `https:` (or `http:` if the host allows it), without user name or password, and at most
 * 2048 characters long. The description never repeats the address.
 */
export const webAddressIssue = (address: string, rules: { readonly allowInsecureUrls: boolean }): string | null => {
  if (address.length > maxUrlLength) return `Should be at most ${maxUrlLength} characters long`
  const parsedUrl = Option.getOrNull(parseAddress(address))
  const protocols = rules.allowInsecureUrls ? ["https:", "http:"] : ["https:"]
  if (parsedUrl === null || !protocols.includes(parsedUrl.protocol)) {
    return rules.allowInsecureUrls ? "Should be an absolute https or http URL" : "Should be an absolute https URL"
  }
  return parsedUrl.username === "" && parsedUrl.password === "" ? null : "Should not hold a user name or password"
}

/** Fails with a `url_parsing` issue at `loc` unless the address is valid by the rules. */
export const checkWebAddress = (
  address: string,
  loc: Loc,
  rules: { readonly allowInsecureUrls: boolean }
): Effect.Effect<void, Invalid> => {
  const issue = webAddressIssue(address, rules)
  return issue === null ? Effect.void : Effect.fail(Invalid.at(loc, "url_parsing", issue))
}

/** Largest size of a webhook configuration's `metadata` as JSON, in bytes. */
export const maxMetadataBytes = 4096

const maxSecretLength = 512

const utf8 = new TextEncoder()

/** A JSON object of at most 4096 bytes when serialised, which every payload repeats unchanged. */
export const WebhookMetadata = Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
  Schema.filter((metadata) => utf8.encode(JSON.stringify(metadata)).byteLength <= maxMetadataBytes, {
    message: () => `Should serialise to at most ${maxMetadataBytes} bytes`,
    ...issueType("value_error")
  })
)
export type WebhookMetadata = typeof WebhookMetadata.Type

/** Signing secret as stored: 1 to 512 characters. It is write-only and never returned. */
const WebhookSecret = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(maxSecretLength))

const keyPrefix = "whsec_"

/** True for base64 of at least one byte, the only form that Standard Webhooks receivers accept after `whsec_`. */
const isKey = (text: string): boolean => {
  const keyBytes = Encoding.decodeBase64(text)
  return Either.isRight(keyBytes) && keyBytes.right.byteLength > 0
}

/**
 * Signing secret in a request: `whsec_` and the base64 of a key, or any other text. Stored secrets may be older than
 * this rule and are read with {@link WebhookSecret}.
 */
export const WebhookSecretInput = WebhookSecret.pipe(
  Schema.filter((secret) => !secret.startsWith(keyPrefix) || isKey(secret.slice(keyPrefix.length)), {
    message: () =>
      "Should be whsec_ and the base64 of a key, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, or a text that does not "
      + "begin with whsec_",
    ...issueType("value_error")
  })
)

/**
 * Webhook to which results are posted: `app_config.webhook_config` of a campaign, `webhook_config` of an outbound call or
 * a deployment. The rules for its URL depend on the host's options: see {@link checkWebAddress}.
 */
export const WebhookConfig = Schema.Struct({
  url: Schema.String,
  metadata: Schema.optional(Schema.NullOr(WebhookMetadata)),
  /** Signs the deliveries. Write-only. */
  secret: Schema.optional(WebhookSecret)
})
export type WebhookConfig = typeof WebhookConfig.Type

/** Webhook configuration in a request; receivers can verify signatures made with its secret. */
export const WebhookConfigInput = Schema.Struct({
  ...WebhookConfig.fields,
  secret: Schema.optional(WebhookSecretInput)
})

/** Webhook configuration in a response, without its secret. */
export const PublicWebhookConfig = Schema.Struct({
  url: Schema.String,
  metadata: Schema.NullOr(WebhookMetadata)
})
export type PublicWebhookConfig = typeof PublicWebhookConfig.Type

/** Removes the write-only secret. */
export const publicWebhookConfig = ({ url, metadata }: WebhookConfig): PublicWebhookConfig => ({
  url,
  metadata: metadata ?? null
})

/** Keeps the previous secret when an update repeats the URL and gives no secret, as clients that send back a response do. */
export const withPreviousSecret = (config: WebhookConfig, before: WebhookConfig | null): WebhookConfig =>
  config.secret === undefined && before?.secret !== undefined && before.url === config.url
    ? { ...config, secret: before.secret }
    : config

/**
 * Listener for campaigns and deployments that are created or changed with a `webhook_config`. It runs inside the
 * transaction that stores the change, so its writes commit together with it. By default nothing listens.
 */
export class WebhookConfigListener
  extends Context.Reference<WebhookConfigListener>()("@trunkline/kernel/WebhookConfigured", {
    defaultValue: (): WebhookConfigListener.Service => ({ onConfigured: () => Effect.void })
  })
{}

export declare namespace WebhookConfigListener {
  /** Implementation of the listener. */
  export interface Service {
    /** Called with the URL to which the webhooks of the changed resource go from now on. */
    readonly onConfigured: (scope: Scope, url: string) => Effect.Effect<void>
  }
}
