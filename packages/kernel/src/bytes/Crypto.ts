import { hmac } from "@noble/hashes/hmac"
import { sha256 as digestOf } from "@noble/hashes/sha2"
import { Context, Effect, Encoding, Layer, Random } from "effect"

const encoder = new TextEncoder()

const bytesOf = (data: Uint8Array | string): Uint8Array => typeof data === "string" ? encoder.encode(data) : data

/** SHA-256 of bytes, or of text in UTF-8: 32 bytes. */
export const sha256 = (data: Uint8Array | string): Uint8Array => digestOf(bytesOf(data))

/** SHA-256 of bytes, or of text in UTF-8, as 64 lower-case hex digits. */
export const sha256Hex = (data: Uint8Array | string): Effect.Effect<string> =>
  Effect.sync(() => Encoding.encodeHex(sha256(data)))

/** HMAC-SHA256 (RFC 2104) of bytes, or of text in UTF-8: 32 bytes. */
export const hmacSha256 = (key: Uint8Array | string, data: Uint8Array | string): Effect.Effect<Uint8Array> =>
  Effect.sync(() => hmac(digestOf, bytesOf(key), bytesOf(data)))

/**
 * Computes HMAC-SHA256 (RFC 2104): 32 bytes. By default in plain JavaScript; hosts with many signatures provide a native
 * one, such as that of `@trunkline/entropy-node`.
 *
 * @example
 * ```ts
 * const computeHmac = yield* Hmac
 * const mac = computeHmac(key, bytes)
 * ```
 */
export class Hmac extends Context.Reference<Hmac>()("@trunkline/kernel/Hmac", {
  defaultValue: () => (key: Uint8Array, data: Uint8Array): Uint8Array => hmac(digestOf, key, data)
}) {}

/** Compares two secrets in constant time: the time depends only on their lengths, not on where they differ. */
export const constantTimeEqual = (a: Uint8Array | string, b: Uint8Array | string): boolean => {
  const [left, right] = [bytesOf(a), bytesOf(b)]
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index++) {
    difference |= (left[index] ?? 0) ^ (right[index] ?? 0)
  }
  return difference === 0
}

/** An incremental SHA-256. */
export interface IncrementalSha256 {
  /** Adds a chunk of text, in UTF-8. */
  readonly add: (text: string) => void
  /** Returns the digest as 64 lower-case hex digits. No chunk can be added afterwards. */
  readonly hex: () => string
}

/** Starts a SHA-256 of text that is too long to hold in memory. */
export const incrementalSha256 = (): IncrementalSha256 => {
  const hash = digestOf.create()
  return { add: (text) => void hash.update(encoder.encode(text)), hex: () => Encoding.encodeHex(hash.digest()) }
}

/**
 * A source of cryptographically secure random bytes, for secrets only. Ids and jitter use Effect's `Random` instead, so
 * that tests can seed them.
 *
 * `@trunkline/entropy-node` provides it from the operating system.
 */
export class Entropy extends Context.Tag("@trunkline/kernel/Entropy")<Entropy, {
  /** Draws `count` fresh random bytes. */
  readonly bytes: (count: number) => Effect.Effect<Uint8Array>
}>() {
  /** Repeats the same bytes for the same seed: for tests and rehearsals, never for real secrets. */
  static readonly layerSeeded = (seed: string) =>
    Layer.sync(Entropy, () => {
      const byte = Random.make(seed).nextIntBetween(0, 256)
      return { bytes: (count) => Effect.map(Effect.replicateEffect(byte, count), (bytes) => Uint8Array.from(bytes)) }
    })
}
