import { assert } from "@effect/vitest"
import { type RtpHeader, writeRtp } from "@trunkline/sip"
import { FastCheck } from "effect"
import { createCipheriv, createHmac } from "node:crypto"
import {
  makeSrtpReceiver,
  makeSrtpSender,
  type Protect,
  srtpTrailerBytes,
  type Unprotect
} from "../../src/srtp/Srtp.js"
import { deriveSessionKey, type SrtpKey, type SrtpSuite, srtpSuites, tagBytes } from "../../src/srtp/SrtpKey.js"

/** Bytes of hexadecimal digits. */
export const hex = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits.replaceAll(/\s/g, ""), "hex"))

/** The master key and salt of RFC 3711, appendix B.3, under a suite. */
export const keyOf = (suite: SrtpSuite): SrtpKey => ({
  suite,
  master: hex("E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6")
})

export const uint32 = FastCheck.nat(0xFFFF_FFFF)

export const anySuite = FastCheck.constantFrom(...srtpSuites)

export const anyKey: FastCheck.Arbitrary<SrtpKey> = FastCheck.record({
  suite: anySuite,
  master: FastCheck.uint8Array({ minLength: 30, maxLength: 30 })
})

const anyHeader: FastCheck.Arbitrary<RtpHeader> = FastCheck.record({
  payloadType: FastCheck.constantFrom(0, 8, 101),
  marker: FastCheck.boolean(),
  sequence: FastCheck.nat(0xFFFF),
  timestamp: uint32,
  ssrc: uint32,
  contributing: FastCheck.array(uint32, { maxLength: 15 }),
  extension: FastCheck.record({
    profile: FastCheck.nat(0xFFFF),
    data: FastCheck.nat(8).map((words) => new Uint8Array(words * 4).fill(7))
  }),
  padding: FastCheck.integer({ min: 1, max: 255 })
}, { requiredKeys: ["payloadType", "marker", "sequence", "timestamp", "ssrc"] })

const anyPayload = FastCheck.uint8Array({ maxLength: 500 })

/** Header and payload of any packet of RTP, with or without sources, an extension and padding. */
export const anyRtp = FastCheck.record({ header: anyHeader, payload: anyPayload })

/** A compound packet of RTCP as far as SRTCP is concerned: a header, an SSRC and the rest. */
export const rtcpPacket = (ssrc: number, rest: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(8 + rest.length)
  const view = new DataView(bytes.buffer)
  bytes.set([0x80, 200])
  view.setUint16(2, 1 + Math.floor(rest.length / 4))
  view.setUint32(4, ssrc)
  bytes.set(rest, 8)
  return bytes
}

/** A short packet of sound. */
export const soundPacket = (sequence: number, ssrc = 0xCAFE_BABE): Uint8Array =>
  writeRtp(
    { payloadType: 0, marker: false, sequence: sequence & 0xFFFF, timestamp: 160 * sequence % 2 ** 32, ssrc },
    Uint8Array.from({ length: 20 }, (_, index) => sequence + index)
  )

/** The result of protecting a packet, which must not be refused. */
export const protectedBy = (protect: Protect, packet: Uint8Array): Uint8Array => {
  const into = new Uint8Array(packet.length + srtpTrailerBytes)
  const length = protect(packet, packet.length, into)
  if (typeof length !== "number") return assert.fail(`The packet is refused: ${length}`)
  return into.slice(0, length)
}

/** The packet that was protected, or the reason why it is refused. */
export const opened = (unprotect: Unprotect, packet: Uint8Array): Uint8Array | string => {
  const into = new Uint8Array(packet.length)
  const length = unprotect(packet, packet.length, into)
  return typeof length === "number" ? into.slice(0, length) : length
}

/** The reason why a packet is refused, or `taken`. */
export const fateOf = (unprotect: Unprotect, packet: Uint8Array | undefined): string => {
  const result = opened(unprotect, packet ?? new Uint8Array())
  return typeof result === "string" ? result : "taken"
}

/** Both ends of one direction of a call. */
export const ends = (key: SrtpKey) => ({ ...makeSrtpSender(key), ...makeSrtpReceiver(key) })

/** A packet of RTP protected by the formulas of RFC 3711, sections 4.1.1 and 4.2, with numbers of any size. */
export const protectedByFormula = (key: SrtpKey, packet: Uint8Array, payloadAt: number, rollOver: number) => {
  const bytes = Buffer.from(packet)
  const salt = BigInt(`0x${Buffer.from(deriveSessionKey(key, 2, 14)).toString("hex")}`)
  const index = BigInt(rollOver) << 16n | BigInt(bytes.readUInt16BE(2))
  const counter = salt << 16n ^ BigInt(bytes.readUInt32BE(8)) << 64n ^ index << 16n
  const cipher = createCipheriv(
    "aes-128-ctr",
    deriveSessionKey(key, 0, 16),
    hex(counter.toString(16).padStart(32, "0"))
  )
  const encrypted = Buffer.concat([bytes.subarray(0, payloadAt), cipher.update(bytes.subarray(payloadAt))])
  const hmac = createHmac("sha1", deriveSessionKey(key, 1, 20)).update(encrypted)
  const tag = hmac.update(hex(rollOver.toString(16).padStart(8, "0"))).digest()
  return new Uint8Array(Buffer.concat([encrypted, tag.subarray(0, tagBytes[key.suite])]))
}
