import type { RtpPacket } from "../packets/RtpPacket.js"

/** Samples by their timestamps, some of which may be missing. */
export interface SampleRing {
  /** Sound of a packet that begins at a timestamp, from another timestamp on. */
  readonly put: (packet: RtpPacket, at: number, from: number, samples: Float32Array) => void
  /** Fills what is missing with silence. */
  readonly putSilence: (from: number, to: number) => void
  /** Number of samples from a timestamp on until one is missing, at most `limit`. */
  readonly present: (from: number, limit: number) => number
  /** Number of missing samples from a timestamp on, at most `limit`. */
  readonly missing: (from: number, limit: number) => number
  /** Copies samples that are present. */
  readonly copy: (from: number, count: number, into: Float32Array, at: number) => void
  readonly drop: (from: number, to: number) => void
}

/** Samples that a ring holds: a second. */
export const RING_SAMPLES = 8_192

const MASK = RING_SAMPLES - 1

/** Makes a ring without samples. Those that are missing are NaN. */
export const makeSampleRing = (): SampleRing => {
  const ring = new Float32Array(RING_SAMPLES).fill(Number.NaN)

  const isMissing = (at: number): boolean => Number.isNaN(ring[at & MASK])

  return {
    put: ({ bytes, payloadEnd, payloadStart }, at, from, samples) => {
      for (let read = payloadStart + from - at, write = from; read < payloadEnd; read++, write++) {
        ring[write & MASK] = samples[bytes[read] ?? 0] ?? 0
      }
    },
    putSilence: (from, to) => {
      for (let at = from; at < to; at++) if (isMissing(at)) ring[at & MASK] = 0
    },
    present: (from, limit) => {
      let count = 0
      while (count < limit && !isMissing(from + count)) count += 1
      return count
    },
    missing: (from, limit) => {
      let count = 0
      while (count < limit && isMissing(from + count)) count += 1
      return count
    },
    copy: (from, count, into, at) => {
      for (let index = 0; index < count; index++) into[at + index] = ring[(from + index) & MASK] ?? 0
    },
    drop: (from, to) => {
      if (to - from >= RING_SAMPLES) ring.fill(Number.NaN)
      else for (let at = from; at < to; at++) ring[at & MASK] = Number.NaN
    }
  }
}
