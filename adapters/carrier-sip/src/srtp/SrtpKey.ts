import { createCipheriv } from "node:crypto"

/**
 * Names of the suites: AES in counter mode with keys of 128 bits, and tags of 80 or 32 bits (RFC 4568, section 6.2).
 */
export const srtpSuites = ["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"] as const

/** Name of a suite, as session descriptions write it. */
export type SrtpSuite = (typeof srtpSuites)[number]

/** Length of the tag of an RTP packet. Tags of RTCP have ten bytes with both suites (RFC 4568, section 6.2). */
export const tagBytes: Readonly<Record<SrtpSuite, number>> = { AES_CM_128_HMAC_SHA1_80: 10, AES_CM_128_HMAC_SHA1_32: 4 }

const masterKeyBytes = 16
const masterSaltBytes = 14

/** Length of a master key and its master salt. */
export const masterBytes = masterKeyBytes + masterSaltBytes

/** Key of one direction of a call. It is secret: it belongs in no log and in no error. */
export interface SrtpKey {
  readonly suite: SrtpSuite
  /** Master key of 16 bytes, followed by the master salt of 14 bytes, as in a session description. */
  readonly master: Uint8Array
}

/** Position within the salt of the label of a key: byte 7 of 14, since the label is shifted by 48 bits. */
const labelAt = 7

/**
 * Derives a session key, which needs to be done once, since the key derivation rate is 0 (RFC 3711, sections 4.3.1 and
 * 4.3.3). Labels are 0 for the encryption of RTP, 1 for its tags and 2 for its salt; 3 to 5 are those of RTCP.
 */
export const deriveSessionKey = ({ master }: Pick<SrtpKey, "master">, label: number, bytes: number): Uint8Array => {
  if (master.length !== masterBytes) throw new RangeError(`An SRTP master key and salt have ${masterBytes} bytes`)
  const counter = new Uint8Array(16)
  counter.set(master.subarray(masterKeyBytes))
  counter[labelAt] = (counter[labelAt] ?? 0) ^ label
  return createCipheriv("aes-128-ctr", master.subarray(0, masterKeyBytes), counter).update(new Uint8Array(bytes))
}
