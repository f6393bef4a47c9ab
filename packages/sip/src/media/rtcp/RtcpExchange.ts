import type { ReceptionReport } from "../receive/Reception.js"
import { readRtcp, type ReportBlock, type SenderReport, writeRtcp } from "./RtcpPacket.js"

/** Reports of one side of a call, in both directions. */
export interface RtcpExchange {
  /** Writes the report that is due, with a goodbye at the end of the call. */
  readonly write: (facts: {
    /** Epoch milliseconds. */
    readonly now: number
    /** Figures of the stream from here; null when nothing was sent yet. */
    readonly sent: Omit<SenderReport, "seconds" | "fraction"> | null
    readonly received: ReceptionReport | null
    readonly bye?: boolean
  }) => Uint8Array
  /** Takes a packet that arrived, at a time in epoch milliseconds. Returns false for bytes that are no RTCP. */
  readonly read: (bytes: Uint8Array, now: number) => boolean
  /** Time to the other side and back, in milliseconds, by its last report; null before it is known. */
  readonly roundTripMillis: number | null
  /** Last report of the other side about the stream from here; null before one. */
  readonly remote: ReportBlock | null
}

/** Seconds from the beginning of 1900 to that of 1970. */
const ntpOffset = 2_208_988_800

/** A time as NTP writes it. */
const ntpOf = (millis: number): { readonly seconds: number; readonly fraction: number } => {
  const seconds = Math.floor(millis / 1000)
  return { seconds: (seconds + ntpOffset) >>> 0, fraction: Math.floor((millis / 1000 - seconds) * 2 ** 32) >>> 0 }
}

/** The middle 32 bits of a time: 1/65536 s. */
const middleOf = ({ fraction, seconds }: { readonly seconds: number; readonly fraction: number }): number =>
  ((seconds & 0xFFFF) * 0x1_0000 + (fraction >>> 16)) >>> 0

/** Longest round trip that is believed, in units of 1/65536 s: a minute. */
const maxRoundTrip = 60 * 0x1_0000

/** Makes the reports of a stream with an SSRC (RFC 3550, section 6.4). */
export const makeRtcpExchange = ({ cname, ssrc }: { readonly ssrc: number; readonly cname: string }): RtcpExchange => {
  let lastReport: { readonly middle: number; readonly at: number } | null = null
  let remote: ReportBlock | null = null
  let roundTripMillis: number | null = null

  return {
    write: ({ bye = false, now, received, sent }) => {
      const since = lastReport === null ? 0 : Math.max(0, Math.round((now - lastReport.at) * 65.536)) >>> 0
      const block = received === null
        ? null
        : { ...received, lastReport: lastReport?.middle ?? 0, sinceLastReport: since }
      return writeRtcp({ ssrc, cname, sender: sent === null ? null : { ...sent, ...ntpOf(now) }, block, bye })
    },
    read: (bytes, now) => {
      const contents = readRtcp(bytes)
      if (contents === null) return false
      if (contents.sender !== null) lastReport = { middle: middleOf(contents.sender), at: now }
      for (const block of contents.blocks) {
        if (block.ssrc !== ssrc) continue
        remote = block
        if (block.lastReport === 0) continue
        const units = (middleOf(ntpOf(now)) - block.lastReport - block.sinceLastReport) >>> 0
        if (units <= maxRoundTrip) roundTripMillis = units / 65.536
      }
      return true
    },
    get roundTripMillis() {
      return roundTripMillis
    },
    get remote() {
      return remote
    }
  }
}
