/** Length of an RTP header without sources, extension or padding, in bytes. */
export const rtpHeaderBytes = 12

/** Header of an RTP packet to write (RFC 3550, section 5.1). */
export interface RtpHeader {
  /** From 0 to 127. */
  readonly payloadType: number
  readonly marker: boolean
  /** 16 bits. */
  readonly sequence: number
  /** 32 bits. */
  readonly timestamp: number
  /** 32 bits. */
  readonly ssrc: number
  /** Contributing sources, at most 15; none by default. */
  readonly contributingSources?: ReadonlyArray<number>
  /** Header extension: its profile of 16 bits, and data of a multiple of four bytes. */
  readonly extension?: { readonly profile: number; readonly data: Uint8Array }
  /** Bytes of padding after the payload, from 1 to 255, the last of which holds their number; none by default. */
  readonly padding?: number
}

/** An RTP packet that was read. One object can be used for all packets of a stream. */
export interface RtpPacket {
  bytes: Uint8Array
  payloadType: number
  marker: boolean
  sequence: number
  timestamp: number
  ssrc: number
  /** Position of the payload within the bytes, and its end; padding is not part of it. */
  payloadStart: number
  payloadEnd: number
}

/** Makes an object to read packets into. */
export const emptyRtpPacket = (): RtpPacket => ({
  bytes: new Uint8Array(),
  payloadType: 0,
  marker: false,
  sequence: 0,
  timestamp: 0,
  ssrc: 0,
  payloadStart: 0,
  payloadEnd: 0
})

/** Reads 16 bits, big endian; 0 beyond the end. */
export const read16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) << 8 | (bytes[at + 1] ?? 0)

/** Reads 32 bits, big endian; 0 beyond the end. */
export const read32 = (bytes: Uint8Array, at: number): number => read16(bytes, at) * 0x1_0000 + read16(bytes, at + 2)

/** Writes the low 16 bits of a number, big endian. */
export const write16 = (bytes: Uint8Array, at: number, value: number): void => {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
}

/** Writes the low 32 bits of a number, big endian. */
export const write32 = (bytes: Uint8Array, at: number, value: number): void => {
  write16(bytes, at, value >>> 16)
  write16(bytes, at + 2, value)
}

/**
 * True for a packet of RTCP, which may arrive on the port of RTP: its second byte is from 192 to 223 (RFC 5761, section
 * 4).
 */
export const isRtcp = (bytes: Uint8Array): boolean => {
  const type = bytes[1] ?? 0
  return type >= 192 && type <= 223
}

/**
 * Reads an RTP packet. Returns false, and leaves `into` undefined, for bytes that are not RTP: another version, or lengths
 * that exceed the bytes.
 */
export const readRtp = (bytes: Uint8Array, into: RtpPacket): boolean => {
  const first = bytes[0] ?? 0
  const second = bytes[1] ?? 0
  if (bytes.length < rtpHeaderBytes || first >> 6 !== 2) return false
  let start = rtpHeaderBytes + 4 * (first & 0x0F)
  if ((first & 0x10) !== 0) {
    if (start + 4 > bytes.length) return false
    start += 4 + 4 * read16(bytes, start + 2)
  }
  let end = bytes.length
  if ((first & 0x20) !== 0) {
    const padding = bytes[end - 1] ?? 0
    if (padding === 0) return false
    end -= padding
  }
  if (start > end) return false
  into.bytes = bytes
  into.marker = second >= 0x80
  into.payloadType = second & 0x7F
  into.sequence = read16(bytes, 2)
  into.timestamp = read32(bytes, 4)
  into.ssrc = read32(bytes, 8)
  into.payloadStart = start
  into.payloadEnd = end
  return true
}

/**
 * Writes a header at the beginning of bytes that have room for it, and returns its length. The payload follows, and then
 * as many bytes of padding as the header announces.
 */
export const writeRtpHeader = (into: Uint8Array, header: RtpHeader): number => {
  const { contributingSources, extension, padding } = header
  const sources = contributingSources?.length ?? 0
  into[0] = 0x80 | (padding === undefined ? 0 : 0x20) | (extension === undefined ? 0 : 0x10) | sources
  into[1] = (header.marker ? 0x80 : 0) | header.payloadType & 0x7F
  write16(into, 2, header.sequence)
  write32(into, 4, header.timestamp)
  write32(into, 8, header.ssrc)
  contributingSources?.forEach((source, index) => write32(into, rtpHeaderBytes + 4 * index, source))
  const end = rtpHeaderBytes + 4 * sources
  if (extension === undefined) return end
  write16(into, end, extension.profile)
  write16(into, end + 2, extension.data.length / 4)
  into.set(extension.data, end + 4)
  return end + 4 + extension.data.length
}

/** Makes a whole packet: header, payload and padding. */
export const writeRtp = (header: RtpHeader, payload: Uint8Array): Uint8Array => {
  const { contributingSources = [], extension, padding = 0 } = header
  const length = rtpHeaderBytes + 4 * contributingSources.length +
    (extension === undefined ? 0 : 4 + extension.data.length)
  const bytes = new Uint8Array(length + payload.length + padding)
  bytes.set(payload, writeRtpHeader(bytes, header))
  if (padding > 0) bytes[bytes.length - 1] = padding
  return bytes
}

/** Distance from one sequence number to another, from -32768 to 32767: negative when the first is later. */
export const sequenceDistance = (from: number, to: number): number => (to - from) << 16 >> 16

/** Distance from one timestamp to another, as a signed number of 32 bits: negative when the first is later. */
export const timestampDistance = (from: number, to: number): number => (to - from) | 0
