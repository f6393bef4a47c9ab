import { Either, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { masterBytes, type SrtpSuite, srtpSuites } from "./SrtpKey.js"

/** A key that a session description names for the packets that its side sends (RFC 4568). */
export interface CryptoAttribute {
  /** Number of the line among those of its stream. */
  readonly tag: number
  readonly suite: SrtpSuite
  /** Master key and master salt: the `master` of an `SrtpKey`. */
  readonly key: Redacted.Redacted<Uint8Array>
}

/** Keys of both directions of a call. */
export interface AgreedCrypto {
  readonly sent: CryptoAttribute
  readonly received: CryptoAttribute
}

/** Reason why a line cannot be used. It tells nothing of what the line holds. */
export type CryptoFault =
  | "malformed"
  | "unknown_suite"
  | "bad_key"
  | "key_identifier"
  | "many_keys"
  | "session_parameter"

/** Tag, suite, key parameters and session parameters of a line (RFC 4568, section 9.1). */
const line = /^([0-9]{1,9})[ \t]+([\w-]+)[ \t]+([!-~]+)((?:[ \t]+[!-~]+)*)[ \t]*$/

/** Key and salt without padding: 30 bytes are 40 digits of base64 exactly. */
const keyAndSalt = /^[A-Za-z0-9+/]{40}$/

/**
 * Number of packets for which a key may be used. Calls are far shorter than the least that is usual, `2^20`: 5.8 hours.
 */
const lifetime = /^(?:2\^)?[0-9]+$/

/**
 * Session parameters that change nothing here: a key derivation rate of 0, a hint for the size of the replay window,
 * and extensions that may be ignored (RFC 4568, sections 6.3.1, 6.3.6 and 6.3.7).
 */
const harmless = /^(?:KDR=0|WSH=[0-9]+|-.*)$/i

const readKey = (parameters: string): Either.Either<Uint8Array, CryptoFault> => {
  if (parameters.includes(";")) return Either.left("many_keys")
  const [method = "", info = ""] = parameters.split(/:(.*)/, 2)
  const [digits = "", ...rest] = info.split("|")
  if (method.toLowerCase() !== "inline") return Either.left("malformed")
  if (!keyAndSalt.test(digits)) return Either.left("bad_key")
  // A lifetime has no colon; the identifier of a key has one, with the number of bytes that it takes in each packet.
  if (rest.some((part) => part.includes(":"))) return Either.left("key_identifier")
  if (rest.length > 1 || rest.some((part) => !lifetime.test(part))) return Either.left("malformed")
  return Either.right(Uint8Array.from(Buffer.from(digits, "base64")))
}

/**
 * Reads the value of a line `a=crypto:`: `<tag> <suite> inline:<key and salt>[|<lifetime>] [<session parameters>]`.
 * Fails for suites, identifiers of keys (MKI) and session parameters that are not supported, such as those that turn
 * protection off.
 */
export const readCrypto = (value: string): Either.Either<CryptoAttribute, CryptoFault> => {
  const [, tag, suiteName = "", keyParameters = "", parameters = ""] = line.exec(value.trim()) ?? []
  if (tag === undefined) return Either.left("malformed")
  const suite = srtpSuites.find((name) => name === suiteName.toUpperCase())
  if (suite === undefined) return Either.left("unknown_suite")
  const isUsable = parameters.split(/[ \t]+/).every((parameter) => parameter === "" || harmless.test(parameter))
  if (!isUsable) return Either.left("session_parameter")
  return Either.map(readKey(keyParameters), (bytes) => ({ tag: Number(tag), suite, key: Redacted.make(bytes) }))
}

/** Writes the value of a line `a=crypto:`. It holds the key: it belongs in a session description and nowhere else. */
export const writeCrypto = ({ key, suite, tag }: CryptoAttribute): string =>
  `${tag} ${suite} inline:${Buffer.from(Redacted.value(key)).toString("base64")}`

/** Makes a line with a fresh key. */
export const makeCrypto = (tag: number, suite: SrtpSuite): CryptoAttribute => ({
  tag,
  suite,
  key: Redacted.make(Uint8Array.from(randomBytes(masterBytes)))
})

/** Makes the lines of an offer: one for each suite, that with the long tag first, each with its own fresh key. */
export const offerCrypto = (): ReadonlyArray<CryptoAttribute> =>
  srtpSuites.map((suite, index) => makeCrypto(index + 1, suite))

/**
 * Answers the lines of an offer: the first that can be used is accepted, with a fresh key under its tag and suite (RFC
 * 4568, section 5.1.2). Null when none can be used: the stream is then refused.
 */
export const answerCrypto = (offeredLines: ReadonlyArray<string>): AgreedCrypto | null => {
  const receivedAttribute = offeredLines.map((value) => Either.getOrNull(readCrypto(value))).find((crypto) =>
    crypto !== null
  )
  return receivedAttribute === undefined || receivedAttribute === null
    ? null
    : { sent: makeCrypto(receivedAttribute.tag, receivedAttribute.suite), received: receivedAttribute }
}

/**
 * Reads the answer to an offer: exactly one line, with the tag and the suite of an offered one (RFC 4568, section
 * 5.1.3). Null when there is no such line: the call then ends, since its sound is not protected.
 */
export const readCryptoAnswer = (
  answeredLines: ReadonlyArray<string>,
  offeredAttributes: ReadonlyArray<CryptoAttribute>
): AgreedCrypto | null => {
  const [value] = answeredLines
  const receivedAttribute = value === undefined || answeredLines.length > 1 ? null : Either.getOrNull(readCrypto(value))
  const sentAttribute = offeredAttributes.find(({ suite, tag }) =>
    tag === receivedAttribute?.tag && suite === receivedAttribute.suite
  )
  return receivedAttribute === null || sentAttribute === undefined
    ? null
    : { sent: sentAttribute, received: receivedAttribute }
}

/**
 * True for the same suite and key. A direction that keeps them in a later offer or answer keeps its state, or its
 * keystream would be used a second time (RFC 4568, section 7.1.4).
 */
export const isSameCrypto = (left: CryptoAttribute, right: CryptoAttribute): boolean =>
  left.suite === right.suite && Buffer.compare(Redacted.value(left.key), Redacted.value(right.key)) === 0
