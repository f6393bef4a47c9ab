import { Entropy, sha256 } from "@trunkline/kernel"
import { Effect, Encoding } from "effect"

/** Source of the identifiers that peers must not guess: tags, branches and Call-IDs (RFC 3261, section 19.3). */
export interface Tokens {
  /** A new token: 80 bits as 20 hex digits. */
  readonly next: () => string
  /** The same token for the same text, which only this source can compute. */
  readonly of: (text: string) => string
  /** A number from 0 to 1, for random pauses. */
  readonly fraction: () => number
}

const encoder = new TextEncoder()

/** Makes a source whose tokens follow from a secret key and a counter, so that drawing one is a plain function. */
export const makeTokens: Effect.Effect<Tokens, never, Entropy> = Effect.gen(function*() {
  const { bytes } = yield* Entropy
  const key = Encoding.encodeHex(yield* bytes(32))
  const of = (text: string) => Encoding.encodeHex(sha256(encoder.encode(`${key} ${text}`)).subarray(0, 10))
  let count = 0
  const next = () => {
    count++
    return of(`#${count}`)
  }
  return { next, of: (text) => of(`=${text}`), fraction: () => Number.parseInt(next().slice(0, 8), 16) / 2 ** 32 }
})
