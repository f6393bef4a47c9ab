import { createHmac } from "node:crypto"

/** Length of the fixed header of RTP. */
const rtpHeaderBytes = 12

/** Length of the part of RTCP that stays in the clear: the first header and the SSRC (RFC 3711, section 3.4). */
export const rtcpClearBytes = 8

/** Reads 16 bits, big endian; 0 beyond the end. */
export const read16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) << 8 | (bytes[at + 1] ?? 0)

/** Reads 32 bits, big endian, as a signed number: those are not allocated. */
export const read32 = (bytes: Uint8Array, at: number): number => read16(bytes, at) << 16 | read16(bytes, at + 2)

/** Writes the low 32 bits of a number, big endian. */
export const write32 = (bytes: Uint8Array, at: number, value: number): void => {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}

/**
 * Position of the payload of an RTP packet, behind its contributing sources and header extension, which stay in the
 * clear (RFC 3711, section 3.1). It is -1 for bytes that are no such packet.
 */
export const payloadStart = (bytes: Uint8Array, end: number): number => {
  const first = bytes[0] ?? 0
  if (end < rtpHeaderBytes || first >> 6 !== 2) return -1
  const headerBytes = rtpHeaderBytes + 4 * (first & 0x0F)
  if ((first & 0x10) === 0) return headerBytes <= end ? headerBytes : -1
  const start = headerBytes + 4 + 4 * read16(bytes, headerBytes + 2)
  return headerBytes + 4 <= end && start <= end ? start : -1
}

/** True for bytes that may be a packet of RTCP. */
export const isRtcpPacket = (bytes: Uint8Array, end: number): boolean =>
  end >= rtcpClearBytes && (bytes[0] ?? 0) >> 6 === 2

/** Copies the first bytes of a packet, which may be in their place already. */
export const copyPacket = (packet: Uint8Array, length: number, into: Uint8Array): void => {
  if (packet !== into) into.set(packet.length === length ? packet : packet.subarray(0, length))
}

/**
 * Computes the whole HMAC-SHA1 of the first bytes, whose beginning is the tag (RFC 3711, section 4.2.1). A new object
 * takes 2.0 microseconds for 176 bytes; copies of two hash states with the key take 2.5.
 */
export const digestOf = (key: Uint8Array, bytes: Uint8Array, end: number): Uint8Array =>
  createHmac("sha1", key).update(bytes.subarray(0, end)).digest()

/** Compares the beginning of a digest with a tag, in a time that does not depend on either. */
export const isTag = (digest: Uint8Array, tag: Uint8Array, length: number): boolean => {
  let difference = 0
  for (let at = 0; at < length; at++) difference |= (digest[at] ?? 0) ^ (tag[at] ?? 0)
  return difference === 0
}

/** Writes the beginning of a digest. */
export const writeTag = (digest: Uint8Array, into: Uint8Array, at: number, length: number): void => {
  for (let index = 0; index < length; index++) into[at + index] = digest[index] ?? 0
}
