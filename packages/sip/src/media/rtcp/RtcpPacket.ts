import { read16, read32, write16, write32 } from "../packets/RtpPacket.js"
import type { ReceptionReport } from "../receive/Reception.js"

/** Report of a receiver about a stream (RFC 3550, section 6.4.1). */
export interface ReportBlock extends ReceptionReport {
  /** Middle 32 bits of the time in the last sender report that was received; 0 without one. */
  readonly lastReport: number
  /** Time since then, in units of 1/65536 s; 0 without one. */
  readonly sinceLastReport: number
}

/** Sender's part of a report. */
export interface SenderReport {
  /** Time as in NTP: whole seconds since 1900, and their fraction in 32 bits. */
  readonly seconds: number
  readonly fraction: number
  readonly timestamp: number
  readonly packets: number
  readonly octets: number
}

/** A compound packet of RTCP as it is sent: a report, the name of its source, and a goodbye at the end of the call. */
export interface RtcpReport {
  readonly ssrc: number
  /** Name of the source, at most 255 bytes of ASCII. */
  readonly cname: string
  /** Null for a side that has not sent anything: a receiver report is written. */
  readonly sender: SenderReport | null
  readonly block: ReportBlock | null
  readonly bye: boolean
}

/** Contents of a compound packet that was received. */
export interface RtcpContents {
  /** The report of a sender and the source that it is about; null without one. */
  readonly sender: (SenderReport & { readonly ssrc: number }) | null
  readonly blocks: ReadonlyArray<ReportBlock>
  /** Sources that have left. */
  readonly byes: ReadonlyArray<number>
}

const senderReportType = 200
const receiverReportType = 201
const sourceDescriptionType = 202
const goodbyeType = 203

const blockBytes = 24
const senderBytes = 20
const headerBytes = 8

const writeHeader = (
  bytes: Uint8Array,
  at: number,
  { count, length, ssrc, type }: {
    readonly count: number
    readonly type: number
    readonly length: number
    readonly ssrc: number
  }
): void => {
  bytes[at] = 0x80 | count
  bytes[at + 1] = type
  write16(bytes, at + 2, length / 4 - 1)
  write32(bytes, at + 4, ssrc)
}

const writeBlock = (bytes: Uint8Array, at: number, block: ReportBlock): void => {
  write32(bytes, at, block.ssrc)
  const loss = Math.max(-0x80_0000, Math.min(0x7F_FFFF, block.lost))
  write32(bytes, at + 4, block.fractionLost << 24 | (loss & 0xFF_FFFF))
  write32(bytes, at + 8, block.highestSequence)
  write32(bytes, at + 12, block.jitter)
  write32(bytes, at + 16, block.lastReport)
  write32(bytes, at + 20, block.sinceLastReport)
}

const readBlock = (bytes: Uint8Array, at: number): ReportBlock => ({
  ssrc: read32(bytes, at),
  fractionLost: bytes[at + 4] ?? 0,
  lost: read32(bytes, at + 4) << 8 >> 8,
  highestSequence: read32(bytes, at + 8),
  jitter: read32(bytes, at + 12),
  lastReport: read32(bytes, at + 16),
  sinceLastReport: read32(bytes, at + 20)
})

/** Writes a compound packet (RFC 3550, section 6.1). */
export const writeRtcp = ({ block, bye, cname, sender, ssrc }: RtcpReport): Uint8Array => {
  const name = cname.replaceAll(/[^\x20-\x7E]/g, "").slice(0, 255)
  const reportBytes = headerBytes + (sender === null ? 0 : senderBytes) + (block === null ? 0 : blockBytes)
  /** The name has a header of two bytes, and at least one byte of zero after it. */
  const nameBytes = headerBytes + 4 * Math.floor((name.length + 2) / 4 + 1)
  const bytes = new Uint8Array(reportBytes + nameBytes + (bye ? headerBytes : 0))
  const type = sender === null ? receiverReportType : senderReportType
  writeHeader(bytes, 0, { count: block === null ? 0 : 1, type, length: reportBytes, ssrc })
  if (sender !== null) {
    write32(bytes, 8, sender.seconds)
    write32(bytes, 12, sender.fraction)
    write32(bytes, 16, sender.timestamp)
    write32(bytes, 20, sender.packets)
    write32(bytes, 24, sender.octets)
  }
  if (block !== null) writeBlock(bytes, reportBytes - blockBytes, block)
  writeHeader(bytes, reportBytes, { count: 1, type: sourceDescriptionType, length: nameBytes, ssrc })
  bytes[reportBytes + headerBytes] = 1
  bytes[reportBytes + headerBytes + 1] = name.length
  for (let at = 0; at < name.length; at++) bytes[reportBytes + headerBytes + 2 + at] = name.charCodeAt(at)
  if (bye) writeHeader(bytes, reportBytes + nameBytes, { count: 1, type: goodbyeType, length: headerBytes, ssrc })
  return bytes
}

/**
 * Reads a compound packet. Unknown parts are passed over. Returns null for bytes that are not RTCP, or whose lengths do not
 * add up.
 */
export const readRtcp = (bytes: Uint8Array): RtcpContents | null => {
  let sender: RtcpContents["sender"] = null
  const blocks: Array<ReportBlock> = []
  const byes: Array<number> = []
  let at = 0
  while (at < bytes.length) {
    const first = bytes[at] ?? 0
    const type = bytes[at + 1] ?? 0
    const end = at + 4 * (read16(bytes, at + 2) + 1)
    if (first >> 6 !== 2 || end > bytes.length || at + 4 > bytes.length) return null
    const count = first & 0x1F
    if (type === senderReportType || type === receiverReportType) {
      const start = at + headerBytes + (type === senderReportType ? senderBytes : 0)
      if (start + count * blockBytes > end) return null
      if (type === senderReportType) {
        sender = {
          ssrc: read32(bytes, at + 4),
          seconds: read32(bytes, at + 8),
          fraction: read32(bytes, at + 12),
          timestamp: read32(bytes, at + 16),
          packets: read32(bytes, at + 20),
          octets: read32(bytes, at + 24)
        }
      }
      for (let index = 0; index < count; index++) blocks.push(readBlock(bytes, start + index * blockBytes))
    } else if (type === goodbyeType) {
      if (at + 4 + 4 * count > end) return null
      for (let index = 0; index < count; index++) byes.push(read32(bytes, at + 4 + 4 * index))
    } else if (at === 0) return null
    at = end
  }
  return at === 0 ? null : { sender, blocks, byes }
}
