import { type CounterMode, makeCounterMode, maxPacket } from "./CounterMode.js"
import { makeSourceTable } from "./SourceTable.js"
import { deriveSessionKey, type SrtpKey, tagBytes } from "./SrtpKey.js"
import {
  copyPacket,
  digestOf,
  isRtcpPacket,
  isTag,
  payloadStart,
  read16,
  read32,
  rtcpClearBytes,
  write32,
  writeTag
} from "./SrtpPackets.js"

/** Length of the tag of RTCP with both suites. */
const rtcpTagBytes = 10

/** Bytes by which a protected packet is longer at most: the index and the tag of RTCP (RFC 3711, section 3.4). */
export const srtpTrailerBytes = 4 + rtcpTagBytes

/** Flag of a packet of RTCP that is encrypted, and the highest index. */
const encryptedFlag = 0x8000_0000
const maxRtcpIndex = 0x7FFF_FFFF

/** First number that is no index of RTP: they have 48 bits (RFC 3711, section 3.3.1). */
const rtpIndices = 2 ** 48

const roundSize = 0x1_0000

/**
 * Reason why a packet cannot be sent. It is `malformed` when it is none of its protocol, longer than 2,048 bytes or too
 * long for the bytes that it shall be written to; a `replay` when its sequence number was used before; and `exhausted`
 * when its key cannot protect any more packets, or no other source.
 */
export type ProtectRefusal = "malformed" | "replay" | "exhausted"

/**
 * Reason why a packet that came is not taken. It is `malformed` under the conditions of `ProtectRefusal`; a `replay`
 * when it has come before, or is older than the window; and fails `authentication` when it was not made with the key.
 */
export type UnprotectRefusal = "malformed" | "replay" | "authentication"

/**
 * Protects the first `length` bytes of `packet`, writes the result to `into` and returns its length. There must be room
 * for `srtpTrailerBytes` bytes more; `into` may be `packet`. After a refusal the bytes of `into` are undefined.
 */
export type Protect = (packet: Uint8Array, length: number, into: Uint8Array) => number | ProtectRefusal

/**
 * Verifies and decrypts the first `length` bytes of `packet`, writes the result to `into` and returns its length. There
 * must be room for `length` bytes; `into` may be `packet`. After a refusal the bytes of `into` are undefined.
 */
export type Unprotect = (packet: Uint8Array, length: number, into: Uint8Array) => number | UnprotectRefusal

/** The sending direction of a call. */
export interface SrtpSender {
  readonly protectRtp: Protect
  readonly protectRtcp: Protect
}

/** The receiving direction of a call. */
export interface SrtpReceiver {
  readonly unprotectRtp: Unprotect
  readonly unprotectRtcp: Unprotect
}

/** Session keys of RTP or RTCP. */
interface SessionKeys {
  readonly cipher: CounterMode
  readonly tagKey: Uint8Array
}

/** Labels of the first session keys (RFC 3711, section 4.3.2). */
const firstLabels = { rtp: 0, rtcp: 3 } as const

const sessionKeys = (key: SrtpKey, protocol: keyof typeof firstLabels): SessionKeys => {
  const label = firstLabels[protocol]
  return {
    cipher: makeCounterMode(deriveSessionKey(key, label, 16), deriveSessionKey(key, label + 2, 14)),
    tagKey: deriveSessionKey(key, label + 1, 20)
  }
}

const isFitting = (packet: Uint8Array, length: number): boolean => length <= packet.length && length <= maxPacket

/**
 * Makes the sending direction of SRTP and SRTCP (RFC 3711). Nothing else may send with the same key. A sequence number
 * is sent once only, and up to eight sources have their own roll-over counters. The first sequence number should be
 * below 32,768, so that a receiver that misses the first packets counts rounds as the sender does.
 *
 * A packet of 160 bytes of sound takes 3.4 microseconds of CPU time to protect and 4.6 to unprotect: 0.04 % of a core
 * for a call of 50 packets a second each way. HMAC-SHA1 takes 2.0 of them, and AES 0.6. Measured by
 * `process.cpuUsage()` over 100,000 packets, the best of five runs, with Node.js 20 and OpenSSL 3.0 on one core of an
 * AMD EPYC (Zen 4) with other load.
 */
export const makeSrtpSender = (key: SrtpKey): SrtpSender => {
  const rtp = sessionKeys(key, "rtp")
  const rtcp = sessionKeys(key, "rtcp")
  const tagLength = tagBytes[key.suite]
  const sources = makeSourceTable({ mayForget: false })

  return {
    protectRtp: (packet, length, into) => {
      const start = payloadStart(packet, length)
      if (start < 0 || !isFitting(packet, length) || into.length < length + tagLength) return "malformed"
      const ssrc = read32(packet, 8)
      const sequence = read16(packet, 2)
      const source = sources.find(ssrc)
      const index = source.rtp.estimate(sequence)
      if (!source.rtp.isNew(index)) return "replay"
      if (index >= rtpIndices || !sources.keep(source)) return "exhausted"
      source.rtp.add(index)
      const rollOver = Math.floor(index / roundSize)
      copyPacket(packet, length, into)
      rtp.cipher.apply(ssrc, rollOver, sequence, into, start, length)
      // The tag covers the roll-over counter, which is not sent, behind the packet (RFC 3711, section 4.2).
      write32(into, length, rollOver)
      writeTag(digestOf(rtp.tagKey, into, length + 4), into, length, tagLength)
      return length + tagLength
    },
    protectRtcp: (packet, length, into) => {
      if (!isRtcpPacket(packet, length) || !isFitting(packet, length)) return "malformed"
      if (into.length < length + srtpTrailerBytes) return "malformed"
      const ssrc = read32(packet, 4)
      const source = sources.find(ssrc)
      const index = source.rtcp.highest + 1
      if (index > maxRtcpIndex || !sources.keep(source)) return "exhausted"
      source.rtcp.add(index)
      copyPacket(packet, length, into)
      rtcp.cipher.apply(ssrc, index >>> 16, index & 0xFFFF, into, rtcpClearBytes, length)
      write32(into, length, encryptedFlag | index)
      writeTag(digestOf(rtcp.tagKey, into, length + 4), into, length + 4, rtcpTagBytes)
      return length + srtpTrailerBytes
    }
  }
}

/**
 * Makes the receiving direction of SRTP and SRTCP (RFC 3711). A packet changes nothing before its tag is verified. A
 * new source begins with a roll-over counter of 0. Eight sources are remembered, of which the one that was silent
 * longest is forgotten for another. Packets of RTCP that are not encrypted are `malformed`, since that is never agreed
 * on.
 */
export const makeSrtpReceiver = (key: SrtpKey): SrtpReceiver => {
  const rtp = sessionKeys(key, "rtp")
  const rtcp = sessionKeys(key, "rtcp")
  const tagLength = tagBytes[key.suite]
  const sources = makeSourceTable({ mayForget: true })
  const tag = new Uint8Array(rtcpTagBytes)

  return {
    unprotectRtp: (packet, length, into) => {
      const end = length - tagLength
      const start = payloadStart(packet, end)
      if (start < 0 || !isFitting(packet, length) || into.length < length) return "malformed"
      const ssrc = read32(packet, 8)
      const sequence = read16(packet, 2)
      const source = sources.find(ssrc)
      const index = source.rtp.estimate(sequence)
      if (!source.rtp.isNew(index)) return "replay"
      const rollOver = Math.floor(index / roundSize)
      for (let at = 0; at < tagLength; at++) tag[at] = packet[end + at] ?? 0
      copyPacket(packet, end, into)
      write32(into, end, rollOver)
      if (!isTag(digestOf(rtp.tagKey, into, end + 4), tag, tagLength)) return "authentication"
      sources.keep(source)
      source.rtp.add(index)
      rtp.cipher.apply(ssrc, rollOver, sequence, into, start, end)
      return end
    },
    unprotectRtcp: (packet, length, into) => {
      const end = length - srtpTrailerBytes
      const tagStart = end + 4
      if (!isRtcpPacket(packet, end) || !isFitting(packet, length) || into.length < length) return "malformed"
      const word = read32(packet, end)
      if (word >= 0) return "malformed"
      const ssrc = read32(packet, 4)
      const source = sources.find(ssrc)
      const index = word & maxRtcpIndex
      if (!source.rtcp.isNew(index)) return "replay"
      for (let at = 0; at < rtcpTagBytes; at++) tag[at] = packet[tagStart + at] ?? 0
      copyPacket(packet, tagStart, into)
      if (!isTag(digestOf(rtcp.tagKey, into, tagStart), tag, rtcpTagBytes)) return "authentication"
      sources.keep(source)
      source.rtcp.add(index)
      rtcp.cipher.apply(ssrc, index >>> 16, index & 0xFFFF, into, rtcpClearBytes, end)
      return end
    }
  }
}
