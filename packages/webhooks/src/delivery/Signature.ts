import { concatBytes, constantTimeEqual, Hmac } from "@trunkline/kernel"
import { type Context, Effect, Either, Encoding } from "effect"

const prefix = "whsec_"
const version = "v1"
const toleranceSeconds = 300

const utf8 = new TextEncoder()

/** Signed parts of a webhook: id, time of sending and the exact bytes of the body. */
export interface SignedMessage {
  /** `webhook-id` header, without dots. */
  readonly id: string
  /** `webhook-timestamp` header: whole seconds since 1970. */
  readonly timestamp: number
  readonly body: Uint8Array
}

/** Key of a secret: the base64 bytes after `whsec_`, or the UTF-8 bytes of any other text. */
const keyOf = (secret: string): Uint8Array => {
  const bytes = secret.startsWith(prefix) ? Encoding.decodeBase64(secret.slice(prefix.length)) : Either.left(null)
  return Either.isRight(bytes) && bytes.right.byteLength > 0 ? bytes.right : utf8.encode(secret)
}

const signatureOf = (
  secret: string,
  { body, id, timestamp }: SignedMessage,
  hmac: Context.Tag.Service<Hmac>
): string => {
  const signedBytes = concatBytes([utf8.encode(`${id}.${timestamp}.`), body])
  return `${version},${Encoding.encodeBase64(hmac(keyOf(secret), signedBytes))}`
}

/** Signs a message by Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. */
export const sign = (secret: string, message: SignedMessage): Effect.Effect<string> =>
  Effect.map(Hmac, (hmac) => signatureOf(secret, message, hmac))

/** Headers of a message as {@link webhookHeaders} returns them. */
export const headersOf = (
  secrets: ReadonlyArray<string>,
  message: SignedMessage,
  hmac: Context.Tag.Service<Hmac>
): Readonly<Record<string, string>> => {
  const headers = { "webhook-id": message.id, "webhook-timestamp": String(message.timestamp) }
  if (secrets.length === 0) return headers
  return { ...headers, "webhook-signature": secrets.map((secret) => signatureOf(secret, message, hmac)).join(" ") }
}

/**
 * Standard Webhooks headers of a message, with one signature for each secret in order, so that a receiver with any of them
 * can verify it. Without secrets there is no signature.
 */
export const webhookHeaders = (
  secrets: ReadonlyArray<string>,
  message: SignedMessage
): Effect.Effect<Readonly<Record<string, string>>> => Effect.map(Hmac, (hmac) => headersOf(secrets, message, hmac))

/**
 * Verifies in a receiver that a request was sent by the holder of the secret, unchanged, and within 5 minutes of `now`.
 *
 * Header names are lower-case. `webhook-signature` may list several signatures separated by spaces, one of which has to
 * match. Comparison takes constant time.
 *
 * @example
 * ```ts
 * const isAuthentic = Effect.runSync(verify(secret, { headers: request.headers, body, now: Date.now() }))
 * ```
 */
export const verify = (secret: string, request: {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Body as received, before parsing. */
  readonly body: Uint8Array
  /** Milliseconds since 1970. */
  readonly now: number
}): Effect.Effect<boolean> => {
  const { "webhook-id": id, "webhook-signature": signatures, "webhook-timestamp": sentAt } = request.headers
  if (id === undefined || signatures === undefined || sentAt === undefined || !/^\d{1,12}$/.test(sentAt)) {
    return Effect.succeed(false)
  }
  const timestamp = Number(sentAt)
  if (Math.abs(request.now / 1000 - timestamp) > toleranceSeconds) return Effect.succeed(false)
  return Effect.map(
    sign(secret, { id, timestamp, body: request.body }),
    (expectedText) => signatures.split(" ").some((signature) => constantTimeEqual(signature, expectedText))
  )
}
