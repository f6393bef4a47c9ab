import { constantTimeEqual, hmacSha256 } from "@trunkline/kernel"
import { Effect, Either, Encoding } from "effect"

const prefix = "whsec_"
const version = "v1"
const toleranceSeconds = 300

const utf8 = new TextEncoder()

/** What a signature covers: the id, the moment of sending and the exact bytes of the body. */
export interface SignedMessage {
  /** The `webhook-id` header; holds no dot. */
  readonly id: string
  /** The `webhook-timestamp` header: whole seconds since 1970. */
  readonly timestamp: number
  readonly body: Uint8Array
}

/** The key of a secret: the bytes that follow `whsec_` in base64, or the UTF-8 bytes of any other text. */
const keyOf = (secret: string): Uint8Array => {
  const decoded = secret.startsWith(prefix) ? Encoding.decodeBase64(secret.slice(prefix.length)) : Either.left(null)
  return Either.isRight(decoded) && decoded.right.byteLength > 0 ? decoded.right : utf8.encode(secret)
}

/** The signature of a message by Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. */
export const sign = (secret: string, { body, id, timestamp }: SignedMessage): Effect.Effect<string> => {
  const head = utf8.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.byteLength + body.byteLength)
  signed.set(head)
  signed.set(body, head.byteLength)
  return Effect.map(hmacSha256(keyOf(secret), signed), (mac) => `${version},${Encoding.encodeBase64(mac)}`)
}

/**
 * The Standard Webhooks headers of a message, signed with each of the secrets, in their order, so that a receiver which
 * knows any of them can verify it. Without a secret it is not signed.
 */
export const webhookHeaders = (
  secrets: ReadonlyArray<string>,
  message: SignedMessage
): Effect.Effect<Readonly<Record<string, string>>> => {
  const headers = { "webhook-id": message.id, "webhook-timestamp": String(message.timestamp) }
  return secrets.length === 0
    ? Effect.succeed(headers)
    : Effect.map(
      Effect.forEach(secrets, (secret) => sign(secret, message)),
      (signatures) => ({ ...headers, "webhook-signature": signatures.join(" ") })
    )
}

/**
 * Whether a request that a receiver got was sent by the holder of the secret, unchanged, and within 5 minutes of `now`.
 *
 * Header names are lower-case; `webhook-signature` may list several signatures with spaces between, of which one has to
 * match. Compares in constant time.
 */
export const verify = (secret: string, request: {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The bytes as received, before any parsing. */
  readonly body: Uint8Array
  /** Milliseconds since 1970. */
  readonly now: number
}): Effect.Effect<boolean> => {
  const { "webhook-id": id, "webhook-signature": given, "webhook-timestamp": sentAt } = request.headers
  if (id === undefined || given === undefined || sentAt === undefined || !/^\d{1,12}$/.test(sentAt)) {
    return Effect.succeed(false)
  }
  const timestamp = Number(sentAt)
  if (Math.abs(request.now / 1000 - timestamp) > toleranceSeconds) return Effect.succeed(false)
  return Effect.map(
    sign(secret, { id, timestamp, body: request.body }),
    (expected) => given.split(" ").some((signature) => constantTimeEqual(signature, expected))
  )
}
