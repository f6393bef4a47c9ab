import { createPublicKey, verify } from "node:crypto"
import type { AuthenticRequest } from "../Dialect.js"

/** Beginning of a public key of Ed25519 in DER (RFC 8410). */
const prefix = Buffer.from("302a300506032b6570032100", "hex")

/** Age of a request beyond which it is refused, in seconds. */
const maxAge = 300

/**
 * Verifies a signature of Ed25519 over the time and the body. Source:
 * https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks#webhook-signing
 */
export const isTelnyxSignature = (publicKey: string, { body, headers, now }: AuthenticRequest): boolean => {
  const timestamp = headers["telnyx-timestamp"] ?? ""
  const signature = Buffer.from(headers["telnyx-signature-ed25519"] ?? "", "base64")
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > maxAge) return false
  try {
    const key = createPublicKey({
      key: Buffer.concat([prefix, Buffer.from(publicKey, "base64")]),
      format: "der",
      type: "spki"
    })
    return verify(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), key, signature)
  } catch {
    return false
  }
}
