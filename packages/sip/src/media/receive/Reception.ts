import { type RtpPacket, sequenceDistance, timestampDistance } from "../packets/RtpPacket.js"

/** Figures of a stream since its last report, and as a whole (RFC 3550, section 6.4.1). */
export interface ReceptionReport {
  readonly ssrc: number
  /** Share of the packets since the last report that were lost, from 0 to 255 of 256. */
  readonly fractionLost: number
  /** Packets of the stream that were expected, less those that were received. */
  readonly lost: number
  /** Highest sequence number, with the number of its cycles in the high 16 bits. */
  readonly highestSequence: number
  /** In units of the timestamp. */
  readonly jitter: number
}

/** Accounts of a stream of packets by their sequence numbers and times. */
export interface Reception {
  /**
   * Takes a packet; the time of arrival counts in units of the timestamp. Returns false for one that was received before.
   * A packet of a key shares its timestamp with others and says nothing about the jitter.
   */
  readonly receive: (packet: RtpPacket, arrival: number, isKey: boolean) => boolean
  /** Begins anew at a packet that is received next. Totals stay. */
  readonly restart: (packet: RtpPacket) => void
  /** Report since the last one; null before any packet. */
  readonly report: () => ReceptionReport | null
  /** Distance of a sequence number from the one that should follow. */
  readonly distanceOf: (sequence: number) => number
  /** Totals over all restarts. */
  readonly received: number
  readonly lost: number
  readonly duplicates: number
  readonly reordered: number
  /** In units of the timestamp. */
  readonly jitter: number
}

/** Packets among which one that comes twice is noticed. */
const memorySize = 256

/** Makes empty accounts (RFC 3550, appendices A.1, A.3 and A.8). */
export const makeReception = (): Reception => {
  const sequences = new Float64Array(memorySize)
  let isStarted = false
  let ssrc = 0
  let first = 0
  /** Highest extended sequence number, and the last transit. */
  let highest = 0
  let transit = 0
  let jitter = 0
  let inStream = 0
  let lostBefore = 0
  let packets = 0
  let duplicates = 0
  let reordered = 0
  let expectedAtReport = 0
  let receivedAtReport = 0

  const expectedCount = (): number => isStarted ? highest - first + 1 : 0
  const lostInStream = (): number => expectedCount() - inStream

  const follow = (timestamp: number, arrival: number): void => {
    const now = arrival - timestamp
    if (inStream > 0) jitter += (Math.abs(timestampDistance(Math.round(transit), Math.round(now))) - jitter) / 16
    transit = now
  }

  return {
    receive: ({ sequence, timestamp }, arrival, isKey) => {
      const distance = sequenceDistance(highest % 0x1_0000, sequence)
      const extendedSequence = highest + distance
      const place = extendedSequence % memorySize
      if (sequences[place] === extendedSequence) {
        duplicates += 1
        return false
      }
      sequences[place] = extendedSequence
      if (!isKey) follow(timestamp, arrival)
      if (distance < 0) reordered += 1
      highest = Math.max(highest, extendedSequence)
      first = Math.min(first, extendedSequence)
      inStream += 1
      packets += 1
      return true
    },
    restart: (packet) => {
      lostBefore += Math.max(0, lostInStream())
      isStarted = true
      ssrc = packet.ssrc
      first = highest = 0x1_0000 + packet.sequence
      inStream = 0
      expectedAtReport = receivedAtReport = 0
      sequences.fill(0)
    },
    report: () => {
      if (inStream === 0) return null
      const expectedSince = expectedCount() - expectedAtReport
      const lostSince = expectedSince - (inStream - receivedAtReport)
      expectedAtReport += expectedSince
      receivedAtReport = inStream
      return {
        ssrc,
        fractionLost: expectedSince > 0 && lostSince > 0
          ? Math.min(255, Math.floor(256 * lostSince / expectedSince))
          : 0,
        lost: lostInStream(),
        highestSequence: (highest - 0x1_0000) >>> 0,
        jitter: Math.round(jitter)
      }
    },
    distanceOf: (sequence) => sequenceDistance((highest + 1) % 0x1_0000, sequence),
    get received() {
      return packets
    },
    get lost() {
      return lostBefore + Math.max(0, lostInStream())
    },
    get duplicates() {
      return duplicates
    },
    get reordered() {
      return reordered
    },
    get jitter() {
      return jitter
    }
  }
}
