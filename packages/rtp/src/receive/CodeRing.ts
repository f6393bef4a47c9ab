import { type RtpCodec, samplesPerUnit, type SoundRate } from "../packets/RtpCodec.js"
import type { RtpPacket } from "../packets/RtpPacket.js"
import { makeSoundDecoder } from "./SoundDecoder.js"

/**
 * Sound by its timestamps, some of which may be missing: codes until they are heard, since G.722 has to decode them in their
 * order. Positions and numbers count units of the timestamp, which are one or two samples each.
 */
export interface CodeRing {
  /** Codes of a packet that begins at a timestamp, from another timestamp on. */
  readonly put: (packet: RtpPacket, codec: RtpCodec, at: number, from: number) => void
  /** Fills what is missing with silence. */
  readonly putSilence: (from: number, to: number) => void
  /** Number of units from a timestamp on until one is missing, at most `limit`. */
  readonly present: (from: number, limit: number) => number
  /** Number of missing units from a timestamp on, at most `limit`. */
  readonly missing: (from: number, limit: number) => number
  /** Decodes units that are present into memory from a unit on. What was decoded before is not decoded again. */
  readonly copy: (from: number, count: number, into: Float32Array, at: number) => void
  /** Drops units. A ring of which all are dropped begins a new stream. */
  readonly drop: (from: number, to: number) => void
}

/** Units that a ring holds: a second. */
export const RING_UNITS = 8_192

const MASK = RING_UNITS - 1

const MISSING = -1
const SILENT = -2

/** Codecs by the high byte of what the ring holds. */
const codecs: ReadonlyArray<RtpCodec> = ["mulaw", "alaw", "g722"]

/** Units that are decoded at once: 20 ms. */
const RUN = 160

/** Makes a ring without sound, which is decoded at a rate. */
export const makeCodeRing = (rate: SoundRate): CodeRing => {
  const scale = samplesPerUnit(rate)
  const codes = new Int16Array(RING_UNITS).fill(MISSING)
  const samples = new Float32Array(scale * RING_UNITS)
  const run = new Uint8Array(RUN)
  let decoder = makeSoundDecoder(rate)
  /** Position up to which samples are decoded. */
  let decoded = 0

  const isMissing = (at: number): boolean => codes[at & MASK] === MISSING

  /** Decodes codes of one codec, without a break in the memory of the samples. Returns where they end. */
  const decodeRun = (from: number, to: number): number => {
    const place = from & MASK
    const kind = (codes[place] ?? SILENT) >> 8
    const codec = codecs[kind]
    const most = Math.min(RUN, to - from, RING_UNITS - place)
    let count = 0
    for (; count < most; count++) {
      const code = codes[place + count] ?? SILENT
      if (code >> 8 !== kind) break
      run[count] = code & 0xFF
    }
    if (codec === undefined) samples.fill(0, scale * place, scale * (place + count))
    else decoder.decode(codec, run, count, samples, scale * place)
    return from + count
  }

  return {
    put: ({ bytes, payloadEnd, payloadStart }, codec, at, from) => {
      const kind = codecs.indexOf(codec) << 8
      decoded = Math.min(decoded, from)
      for (let read = payloadStart + from - at, write = from; read < payloadEnd; read++, write++) {
        codes[write & MASK] = kind | (bytes[read] ?? 0)
      }
    },
    putSilence: (from, to) => {
      for (let at = from; at < to; at++) if (isMissing(at)) codes[at & MASK] = SILENT
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
      decoded = Math.max(decoded, from)
      while (decoded < from + count) decoded = decodeRun(decoded, from + count)
      let write = scale * at
      for (let position = from; position < from + count; position++) {
        const place = scale * (position & MASK)
        for (let part = 0; part < scale; part++) into[write++] = samples[place + part] ?? 0
      }
    },
    drop: (from, to) => {
      if (to - from >= RING_UNITS) {
        codes.fill(MISSING)
        decoder = makeSoundDecoder(rate)
        decoded = 0
      } else for (let at = from; at < to; at++) codes[at & MASK] = MISSING
    }
  }
}
