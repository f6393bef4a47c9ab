import { md5 } from "@noble/hashes/legacy"
import { sha512_256 } from "@noble/hashes/sha2"
import { sha256 } from "@trunkline/kernel"
import { Encoding } from "effect"

/** Hash algorithm of digest authentication (RFC 7616, section 3.3; RFC 8760). */
export type DigestAlgorithm = "MD5" | "MD5-sess" | "SHA-256" | "SHA-256-sess" | "SHA-512-256" | "SHA-512-256-sess"

const encoder = new TextEncoder()
const bytesOf = (data: Uint8Array | string): Uint8Array => typeof data === "string" ? encoder.encode(data) : data

type Hash = (data: Uint8Array | string) => string

const md5Hex: Hash = (data) => Encoding.encodeHex(md5(bytesOf(data)))
const sha256HexOf: Hash = (data) => Encoding.encodeHex(sha256(data))
const sha512256Hex: Hash = (data) => Encoding.encodeHex(sha512_256(bytesOf(data)))

/** Algorithms, strongest first. */
const hashes: ReadonlyArray<readonly [DigestAlgorithm, Hash]> = [
  ["SHA-512-256", sha512256Hex],
  ["SHA-512-256-sess", sha512256Hex],
  ["SHA-256", sha256HexOf],
  ["SHA-256-sess", sha256HexOf],
  ["MD5", md5Hex],
  ["MD5-sess", md5Hex]
]

/** Algorithm by its name in any case; null if it is not known. */
export const algorithmNamed = (name: string): DigestAlgorithm | null =>
  hashes.find(([algorithm]) => algorithm.toLowerCase() === name.toLowerCase())?.[0] ?? null

/** Rank of an algorithm: the lower, the stronger. */
export const rankOf = (algorithm: DigestAlgorithm): number => hashes.findIndex(([name]) => name === algorithm)

/** Everything that goes into a digest. */
export interface DigestInput {
  readonly algorithm: DigestAlgorithm
  readonly username: string
  readonly realm: string
  readonly password: string
  readonly nonce: string
  readonly method: string
  readonly uri: string
  /** Null for challenges without quality of protection, as those of RFC 2069. */
  readonly qop: "auth" | "auth-int" | null
  /** Eight hexadecimal digits. */
  readonly nonceCount: string
  readonly cnonce: string
  /** Counts for `auth-int` only. */
  readonly body: Uint8Array
}

/** Computes the `response` of credentials (RFC 7616, section 3.4.1) in lower-case hexadecimal digits. */
export const digestResponse = (input: DigestInput): string => {
  const { algorithm, body, cnonce, method, nonce, nonceCount, password, qop, realm, uri, username } = input
  const hash = hashes[rankOf(algorithm)]?.[1] ?? md5Hex
  const secret = hash(`${username}:${realm}:${password}`)
  const ha1 = algorithm.endsWith("-sess") ? hash(`${secret}:${nonce}:${cnonce}`) : secret
  const ha2 = hash(qop === "auth-int" ? `${method}:${uri}:${hash(body)}` : `${method}:${uri}`)
  return hash(qop === null ? `${ha1}:${nonce}:${ha2}` : `${ha1}:${nonce}:${nonceCount}:${cnonce}:${qop}:${ha2}`)
}
