import { type RtpPacket, timestampDistance } from "../packets/RtpPacket.js"
import { eventDuration, keyOfEvent, telephoneEventBytes } from "./TelephoneEvent.js"

/** Recognises keys in packets with telephone events. */
export interface KeyReceiver {
  /** Takes a packet. Returns its key with the first packet of a key that arrives; undefined with all others. */
  readonly push: (packet: RtpPacket) => string | undefined
  /** Forgets all keys, as after a change of the source, whose timestamps begin anew. */
  readonly reset: () => void
}

/** Keys that are remembered, so that a packet that comes late is not taken for a key of its own. */
const memorySize = 8

/** Time between the end of a segment and the start of the next one of the same key, in units of the timestamp. */
const tolerance = 800

/**
 * Makes a receiver of keys (RFC 4733, section 2.5.2). Packets of a key share the timestamp of its start, so that neither
 * its updates nor a lost end make a second key of it. A key that lasts longer than a packet can say goes on in segments
 * with timestamps of their own; those count as one key, as they follow each other without a marker.
 */
export const makeKeyReceiver = (): KeyReceiver => {
  const starts = Array.from({ length: memorySize }, () => Number.NaN)
  let at = 0
  let event = -1
  let isEnded = true
  let start = 0
  let end = 0

  const remember = (timestamp: number): void => {
    starts[at] = timestamp
    at = (at + 1) % memorySize
  }

  const isSegment = ({ marker, timestamp }: RtpPacket, code: number): boolean =>
    !marker && !isEnded && code === event && timestampDistance(start, timestamp) > 0 &&
    Math.abs(timestampDistance(end, timestamp)) <= tolerance

  return {
    push: (packet) => {
      const { bytes, payloadEnd, payloadStart, timestamp } = packet
      if (payloadEnd - payloadStart < telephoneEventBytes) return undefined
      const code = bytes[payloadStart] ?? 0
      const key = keyOfEvent(code)
      if (key === undefined) return undefined
      const isEnd = (bytes[payloadStart + 1] ?? 0) >= 0x80
      const isKnown = starts.includes(timestamp)
      if (isKnown && timestamp !== start) return undefined
      const isNew = !isKnown && !isSegment(packet, code)
      if (!isKnown) remember(timestamp)
      isEnded = isNew || !isKnown ? isEnd : isEnded || isEnd
      event = code
      start = timestamp
      end = timestamp + eventDuration(packet)
      return isNew ? key : undefined
    },
    reset: () => {
      starts.fill(Number.NaN)
      event = -1
      isEnded = true
    }
  }
}
