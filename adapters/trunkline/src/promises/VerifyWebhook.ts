import { hmac } from "@noble/hashes/hmac"
import { sha256 } from "@noble/hashes/sha2"
import type {
  CallEnded,
  CampaignAttemptPayload,
  CanaryEndedPayload,
  InboundCallPayload,
  OutboundCallPayload
} from "../generated/Resources.js"

/**
 * Body of a webhook: of a campaign, a deployment or a single call, or of the engine's `callEndedWebhook`. Each URL receives the
 * kind that it was configured for; `in` tells kinds apart, such as `"cohort_id" in body`. A campaign with a canary also tells of its
 * end: only that body has a `type`.
 */
export type WebhookBody =
  | CanaryEndedPayload
  | CampaignAttemptPayload
  | InboundCallPayload
  | OutboundCallPayload
  | CallEnded

/** Headers of a request: those of Fetch, those of Node.js, or an object with names in any case. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

/** Why a webhook was rejected. */
export type WebhookRejection = "missing_header" | "stale_timestamp" | "wrong_signature" | "invalid_json"

/** A request is no webhook of the holder of the secret, or cannot be read. Answer it with 401, so that it is retried. */
export class WebhookRejected extends Error {
  override readonly name = "WebhookRejected"
  /** Distinguishes this error from failures of operations. */
  readonly _tag = "WebhookRejected"

  constructor(readonly reason: WebhookRejection, message: string) {
    super(message)
  }
}

const toleranceSeconds = 300

const keyPrefix = "whsec_"
const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

/** Key of a secret: the base64 bytes after `whsec_`, or the UTF-8 bytes of any other text. */
const keyOf = (secret: string): Buffer => {
  const key = secret.slice(keyPrefix.length)
  return secret.startsWith(keyPrefix) && key !== "" && base64.test(key)
    ? Buffer.from(key, "base64")
    : Buffer.from(secret)
}

/** A header as one text; several signatures in several lines are one list. */
const readHeader = (headers: WebhookHeaders, name: string): string => {
  const { get } = headers
  const value = typeof get === "function"
    ? get.call(headers, name)
    : Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1]
  const text = typeof value === "string" ? value : value?.join(" ")
  if (text === undefined || text === "") throw new WebhookRejected("missing_header", `The header ${name} is missing`)
  return text
}

const checkTimestamp = (timestamp: string): void => {
  const isRecent = /^\d{1,12}$/.test(timestamp) &&
    Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds
  if (isRecent) return
  throw new WebhookRejected(
    "stale_timestamp",
    "The time in webhook-timestamp is not within 5 minutes of now: the request is old, or a clock is wrong"
  )
}

/** Compares in a time that does not tell where they differ. */
const isEqual = (left: Buffer, right: Buffer): boolean =>
  left.length === right.length && left.reduce((sum, byte, index) => sum | (byte ^ (right[index] ?? 0)), 0) === 0

/** Bytes of a text. */
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const decoder = new TextDecoder("utf-8", { fatal: true })

const parseBody = (body: string | Uint8Array): WebhookBody => {
  try {
    const value = JSON.parse(typeof body === "string" ? body : decoder.decode(body))
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value
  } catch {
    // Rejected below.
  }
  throw new WebhookRejected("invalid_json", "The body is not a JSON object")
}

/**
 * Verifies that a webhook was sent by the holder of the secret, unchanged and within 5 minutes of now, by Standard Webhooks,
 * and returns its body. Comparison takes constant time.
 *
 * @param body - The bytes or the text that were received, before any parsing.
 * @param headers - `webhook-id`, `webhook-timestamp` and `webhook-signature`, beside any others.
 * @param secrets - The `secret` of the `webhook_config`; several while it is being rotated.
 * @throws WebhookRejected with the reason; TypeError when a secret is missing or the body was parsed already.
 *
 * @example
 * ```ts
 * const handle = async (request: Request) => {
 *   const body = verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET ?? "")
 *   if ("cohort_id" in body) console.log(body.attempt_id, body.completion_status)
 *   return new Response(null, { status: 204 })
 * }
 * ```
 */
export const verifyWebhook = (
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | ReadonlyArray<string>
): WebhookBody => {
  const candidates = typeof secrets === "string" ? [secrets] : secrets ?? []
  if (candidates.length === 0 || candidates.some((secret) => typeof secret !== "string" || secret === "")) {
    throw new TypeError("verifyWebhook: a secret is missing: pass the secret of the webhook_config")
  }
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new TypeError(
      "verifyWebhook: pass the body as it was received, as a string or bytes, and not what was parsed"
    )
  }
  const id = readHeader(headers, "webhook-id")
  const timestamp = readHeader(headers, "webhook-timestamp")
  const signatures = readHeader(headers, "webhook-signature").split(" ").map((signature) => Buffer.from(signature))
  checkTimestamp(timestamp)
  const bytes = typeof body === "string" ? utf8(body) : body
  const isSigned = candidates.some((secret) => {
    const digest = hmac.create(sha256, keyOf(secret)).update(utf8(`${id}.${timestamp}.`)).update(bytes).digest()
    const expectedBytes = Buffer.from(`v1,${Buffer.from(digest).toString("base64")}`)
    return signatures.some((signature) => isEqual(signature, expectedBytes))
  })
  if (!isSigned) {
    throw new WebhookRejected(
      "wrong_signature",
      "No signature matches: the secret is another one, or the body was changed"
    )
  }
  return parseBody(body)
}
