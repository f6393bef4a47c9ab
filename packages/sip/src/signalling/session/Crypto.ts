import { Either } from "effect"
import { SessionRefused } from "./Media.js"
import type { RemoteStream } from "./RemoteSession.js"

/** Values of `a=crypto` that both sides agree on (RFC 4568): ours names the key of what we send. They are secrets. */
export interface CryptoPair {
  readonly sent: string
  readonly received: string
}

/**
 * Encryption of the sound of one call by keys in its session descriptions (SDES, RFC 4568). The keys are secrets: neither they
 * nor the descriptions belong in logs.
 */
export interface MediaCrypto {
  /** True for sound that must be encrypted: offers say `RTP/SAVP`, and plain sound is refused. */
  readonly required: boolean
  /** Values of `a=crypto` for offers of ours, the same ones for the whole call. */
  readonly offered: ReadonlyArray<string>
  /** Agrees on the values of an offer of the other side; null where none can be used. */
  readonly answer: (offeredLines: ReadonlyArray<string>) => CryptoPair | null
  /** Agrees on the values of the answer to an offer of ours; null where they fit none of ours. */
  readonly accept: (answeredLines: ReadonlyArray<string>) => CryptoPair | null
}

/** Profiles of streams that are accepted: sound with keys may say either, since many peers offer them with the plain one. */
export const protocolsWith = (crypto: MediaCrypto | undefined): ReadonlyArray<string> =>
  crypto === undefined ? ["RTP/AVP"] : ["RTP/SAVP", "RTP/AVP"]

const refusal = new SessionRefused({
  status: 488,
  warning: 305,
  message: "Incompatible media format: no acceptable a=crypto"
})

/** Agrees on the keys of a stream: null for plain sound, which is refused where either side needs encryption. */
export const agreeOn = (
  { crypto: values, protocol }: RemoteStream,
  crypto: MediaCrypto | undefined,
  by: "answer" | "accept"
): Either.Either<CryptoPair | null, SessionRefused> => {
  const pair = crypto === undefined || values.length === 0 ? null : crypto[by](values)
  const isNeeded = protocol === "RTP/SAVP" || crypto?.required === true
  return pair === null && isNeeded ? Either.left(refusal) : Either.right(pair)
}
