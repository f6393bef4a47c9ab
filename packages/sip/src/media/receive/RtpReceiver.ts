import { makeKeyReceiver } from "../keys/KeyReceiver.js"
import { eventDuration } from "../keys/TelephoneEvent.js"
import type { RtpCodec } from "../packets/RtpCodec.js"
import { emptyRtpPacket, readRtp, type RtpPacket } from "../packets/RtpPacket.js"
import { type JitterBufferOptions, makeJitterBuffer } from "./JitterBuffer.js"
import { makeReception, type ReceptionReport } from "./Reception.js"

/** Formats of a stream to receive, by the payload types that this side has given them (RFC 3264, section 6.1). */
export interface ReceivedFormats {
  /** Formats of sound, which may change with every packet. Packets of other payload types are counted, but not heard. */
  readonly sounds: ReadonlyArray<{ readonly codec: RtpCodec; readonly payloadType: number }>
  /** Payload type of telephone events; null when there are none. */
  readonly telephoneEvent: number | null
}

/** Options of a receiver. */
export interface RtpReceiverOptions extends JitterBufferOptions {
  readonly formats: ReceivedFormats
  /** Called with each key (`0` to `9`, `*`, `#`, `A` to `D`) as soon as its first packet arrives. */
  readonly onKey: (key: string) => void
}

/** Figures of a receiver, over all streams that it received one after another. */
export interface ReceiverStatistics {
  readonly received: number
  /** Packets that never arrived, as their sequence numbers tell. */
  readonly lost: number
  readonly late: number
  readonly duplicates: number
  readonly reordered: number
  readonly concealedFrames: number
  readonly jitterMillis: number
  readonly delayMillis: number
}

/** The receiving side of a call: packets in at any time, a frame out every 20 ms. */
export interface RtpReceiver {
  /** Takes a packet. Returns false for bytes that are no packet of the stream. The bytes are not kept. */
  readonly push: (bytes: Uint8Array, arrivalMillis: number) => boolean
  /**
   * Fills a frame of 20 ms: 160 samples, or 320 at 16,000 Hz. Returns true when some of them stand for lost or late packets.
   * Call this once every 20 ms of the same clock as `arrivalMillis`.
   */
  readonly pop: (nowMillis: number, frame: Float32Array) => boolean
  /** Changes the formats from the next packet on. */
  readonly setFormats: (formats: ReceivedFormats) => void
  /** Report of what was received since the last one; null before the first packet. */
  readonly report: () => ReceptionReport | null
  readonly statistics: () => ReceiverStatistics
}

const unitsPerMilli = 8

/** Distances at which a packet does not belong to the stream: of sequence numbers either way, and of times. */
const maxGap = 3_000
const maxReordering = 200
const maxDeviation = 1_000

/** Time for which silence is assumed after a packet of a key, until the next one, in units of the timestamp. */
const keyUpdate = 800

/**
 * Makes a receiver. Packets whose source, sequence number or timestamp do not fit the stream are dropped until two of them
 * follow each other: then the stream begins anew with the second one, as when the other side transfers the call or starts
 * its timestamps again.
 */
export const makeRtpReceiver = ({ formats: first, onKey, ...options }: RtpReceiverOptions): RtpReceiver => {
  const packet = emptyRtpPacket()
  const reception = makeReception()
  const buffer = makeJitterBuffer(options)
  const keys = makeKeyReceiver()
  let formats = first
  let isStarted = false
  let ssrc = 0
  /** The last packet that did not fit. */
  let isStray = false
  let straySsrc = 0
  let straySequence = 0

  /** Codec of a payload type; null for one that was not agreed. */
  const codecOf = (payloadType: number): RtpCodec | null => {
    for (const sound of formats.sounds) if (sound.payloadType === payloadType) return sound.codec
    return null
  }

  const fits = ({ sequence, ssrc: source, timestamp }: RtpPacket, arrival: number, isKey: boolean): boolean => {
    if (!isStarted || source !== ssrc) return false
    const distance = reception.distanceOf(sequence)
    if (distance > maxGap || distance < -maxReordering) return false
    return isKey || Math.abs(buffer.deviationMillis(timestamp, arrival)) <= maxDeviation
  }

  /** Returns true when a packet that does not fit starts the stream anew. */
  const starts = ({ sequence, ssrc: source }: RtpPacket): boolean => {
    const follows = isStray && source === straySsrc && ((straySequence + 1) & 0xFFFF) === sequence
    isStray = true
    straySsrc = source
    straySequence = sequence
    return !isStarted || follows
  }

  const start = (): void => {
    reception.restart(packet)
    buffer.reset()
    keys.reset()
    isStarted = true
    ssrc = packet.ssrc
  }

  return {
    push: (bytes, arrivalMillis) => {
      if (!readRtp(bytes, packet)) return false
      const { payloadType, timestamp } = packet
      const isKey = payloadType === formats.telephoneEvent
      if (fits(packet, arrivalMillis, isKey)) isStray = false
      else if (starts(packet)) start()
      else return false
      if (!reception.receive(packet, arrivalMillis * unitsPerMilli, isKey)) return true
      if (isKey) {
        const key = keys.push(packet)
        buffer.pushSilence(timestamp, eventDuration(packet) + keyUpdate)
        if (key !== undefined) onKey(key)
      } else {
        const codec = codecOf(payloadType)
        if (codec !== null) buffer.push(packet, codec, arrivalMillis)
      }
      return true
    },
    pop: buffer.pop,
    setFormats: (changedFormats) => {
      formats = changedFormats
    },
    report: reception.report,
    statistics: () => ({
      received: reception.received,
      lost: reception.lost,
      late: buffer.latePackets,
      duplicates: reception.duplicates,
      reordered: reception.reordered,
      concealedFrames: buffer.concealedFrames,
      jitterMillis: reception.jitter / unitsPerMilli,
      delayMillis: buffer.delayMillis
    })
  }
}
