import type { CryptoPair, MediaCrypto, Negotiated } from "@trunkline/sip"
import { Either, Redacted } from "effect"
import type { MediaDescription } from "../media/Media.js"
import type { SrtpMode } from "../settings/ConnectionOptions.js"
import {
  type AgreedCrypto,
  answerCrypto,
  isSameCrypto,
  offerCrypto,
  readCrypto,
  readCryptoAnswer,
  writeCrypto
} from "../srtp/Sdes.js"
import type { SrtpKey } from "../srtp/SrtpKey.js"

const pairOf = ({ received, sent }: AgreedCrypto): CryptoPair => ({
  sent: writeCrypto(sent),
  received: writeCrypto(received)
})

/** Encryption of one call. */
export interface CallCrypto extends MediaCrypto {
  /** The same for provisional answers: what they agree on binds nobody, since another side may answer. */
  readonly provisional: MediaCrypto
}

/**
 * Makes the encryption of one call; undefined for none. Our keys stay the same for as long as the other side keeps its own, and
 * a call that was encrypted once stays so.
 */
export const makeCallCrypto = (mode: SrtpMode): CallCrypto | undefined => {
  if (mode === "off") return undefined
  const offeredAttributes = offerCrypto()
  let agreement: AgreedCrypto | null = null

  const keep = (crypto: AgreedCrypto | null): CryptoPair | null => {
    if (crypto === null) return null
    agreement = crypto
    return pairOf(crypto)
  }

  const answer = (values: ReadonlyArray<string>): CryptoPair | null => {
    const answer = answerCrypto(values)
    const isKept = answer !== null && agreement !== null && isSameCrypto(answer.received, agreement.received) &&
      answer.sent.tag === agreement.sent.tag && answer.sent.suite === agreement.sent.suite
    return keep(isKept ? agreement : answer)
  }

  const cryptoLines = offeredAttributes.map(writeCrypto)
  return {
    get required() {
      return mode === "required" || agreement !== null
    },
    offered: cryptoLines,
    answer,
    accept: (values) => keep(readCryptoAnswer(values, offeredAttributes)),
    provisional: {
      required: mode === "required",
      offered: cryptoLines,
      answer: () => null,
      accept: (values) => {
        const answer = readCryptoAnswer(values, offeredAttributes)
        return answer === null ? null : pairOf(answer)
      }
    }
  }
}

const keyOf = (value: string): SrtpKey | null =>
  Either.match(readCrypto(value), {
    onLeft: () => null,
    onRight: ({ key, suite }) => ({ suite, master: Redacted.value(key) })
  })

/** Keys of the packets of both directions; null for plain sound. */
export const srtpOf = ({ crypto }: Pick<Negotiated, "crypto">): MediaDescription["srtp"] => {
  const [sentSrtpKey, receivedSrtpKey] = crypto === null ? [null, null] : [keyOf(crypto.sent), keyOf(crypto.received)]
  return sentSrtpKey === null || receivedSrtpKey === null ? null : { sent: sentSrtpKey, received: receivedSrtpKey }
}
