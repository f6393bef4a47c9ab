import { hmac } from "@noble/hashes/hmac"
import { sha256 } from "@noble/hashes/sha2"
import { Effect, Encoding } from "effect"

const encoder = new TextEncoder()

const bytesOf = (data: Uint8Array | string): Uint8Array => typeof data === "string" ? encoder.encode(data) : data

/** The SHA-256 of bytes, or of a text in UTF-8, as 64 lower-case hex digits. */
export const sha256Hex = (data: Uint8Array | string): Effect.Effect<string> =>
  Effect.sync(() => Encoding.encodeHex(sha256(bytesOf(data))))

/** The HMAC-SHA256 (RFC 2104) of bytes, or of a text in UTF-8: 32 bytes. */
export const hmacSha256 = (key: Uint8Array | string, data: Uint8Array | string): Effect.Effect<Uint8Array> =>
  Effect.sync(() => hmac(sha256, bytesOf(key), bytesOf(data)))

/** Whether two secrets are equal; how long it takes says nothing of where they differ, only of their lengths. */
export const constantTimeEqual = (a: Uint8Array | string, b: Uint8Array | string): boolean => {
  const [left, right] = [bytesOf(a), bytesOf(b)]
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index++) {
    difference |= (left[index] ?? 0) ^ (right[index] ?? 0)
  }
  return difference === 0
}

/** A SHA-256 that is told its text piece by piece. */
export interface RollingSha256 {
  /** Takes the next piece, in UTF-8. */
  readonly add: (text: string) => void
  /** The digest of all pieces as 64 lower-case hex digits; afterwards nothing can be added. */
  readonly hex: () => string
}

/** Begins a SHA-256 of a text that is too long to be held at once. */
export const rollingSha256 = (): RollingSha256 => {
  const hash = sha256.create()
  return { add: (text) => void hash.update(encoder.encode(text)), hex: () => Encoding.encodeHex(hash.digest()) }
}
