import type { WebhookBody } from "./generated/Types.js"

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

const utf8 = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: true })

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/** Key of a secret: the base64 bytes after `whsec_`, or the UTF-8 bytes of any other text. */
const keyOf = (secret: string) => {
  const key = secret.slice(keyPrefix.length)
  const bytes = secret.startsWith(keyPrefix) && key !== "" && base64.test(key)
    ? bytesOf(key)
    : new Uint8Array(utf8.encode(secret))
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
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

const parseBody = (body: string | Uint8Array): WebhookBody => {
  try {
    const value = JSON.parse(typeof body === "string" ? body : decoder.decode(body))
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value
  } catch {
    // Rejected below.
  }
  throw new WebhookRejected("invalid_json", "The body is not a JSON object")
}

/** Bytes that are signed: `id.timestamp.body`. */
const signedBytes = (head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> => {
  const [first, second] = [utf8.encode(head), typeof body === "string" ? utf8.encode(body) : body]
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/**
 * Verifies that a webhook was sent by the holder of the secret, unchanged and within 5 minutes of now, by Standard Webhooks,
 * and resolves with its body. It is `verifyWebhook` of the package `trunkline` with Web Crypto, which is asynchronous.
 *
 * @param body - The bytes or the text that were received, before any parsing.
 * @param headers - `webhook-id`, `webhook-timestamp` and `webhook-signature`, beside any others.
 * @param secrets - The `secret` of the `webhook_config`; several while it is being rotated.
 * @throws WebhookRejected with the reason; TypeError when a secret is missing or the body was parsed already.
 */
export const verifyWebhook = async (
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | ReadonlyArray<string>
): Promise<WebhookBody> => {
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
  const signatures = readHeader(headers, "webhook-signature").split(" ").flatMap((signature) => {
    const [version, text = ""] = signature.split(",")
    return version === "v1" && text !== "" && base64.test(text) ? [bytesOf(text)] : []
  })
  checkTimestamp(timestamp)
  const bytes = signedBytes(`${id}.${timestamp}.`, body)
  const checks = candidates.flatMap((secret) =>
    signatures.map(async (signature) => crypto.subtle.verify("HMAC", await keyOf(secret), signature, bytes))
  )
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookRejected(
      "wrong_signature",
      "No signature matches: the secret is another one, or the body was changed"
    )
  }
  return parseBody(body)
}
