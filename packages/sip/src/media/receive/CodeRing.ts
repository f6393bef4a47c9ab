import { laws } from "../packets/Law.js"
import { type RtpCodec, samplesPerUnit, type SoundRate } from "../packets/RtpCodec.js"
import type { RtpPacket } from "../packets/RtpPacket.js"
import { makeSoundDecoder } from "./SoundDecoder.js"

/**
 * Sound by its timestamps, some of which may be missing. Codes of G.722, and of a law at another rate than its own, stay codes
 * until they are heard, since they have to be decoded in their order. Positions and numbers count units of the timestamp,
 * which are one or two samples each.
 */
export interface CodeRing {
  /** Codes of a packet that begins at a timestamp, from another timestamp on. */
  readonly put: (packet: RtpPacket, codec: RtpCodec, at: number, from: number) => void
  /** Fills what is missing with silence. */
  readonly putSilence: (from: number, to: number) => void
  /** Number of units from a timestamp on until one is missing, at most `limit`. */
  readonly present: (from: number, limit: number) => number
  /** Number of missing units from a timestamp on, at most `limit`. */
  readonly countMissing: (from: number, limit: number) => number
  /** Decodes units that are present into memory from a unit on. What was decoded before is not decoded again. */
  readonly copy: (from: number, count: number, into: Float32Array, at: number) => void
  /** Drops units. A ring of which all are dropped begins a new stream. */
  readonly drop: (from: number, to: number) => void
}

/** Units that a ring holds: a second. */
export const ringUnits = 8_192

const indexMask = ringUnits - 1

/** Codecs of codes that wait, by their high byte, and other contents: samples that are there, silence, and nothing. */
const codecs: ReadonlyArray<RtpCodec> = ["mulaw", "alaw", "g722"]
const readyCode = 3 << 8
const silentMark = 4 << 8
const missingCode = -1

/** Units that are decoded at once: 20 ms. */
const runUnits = 160

/** Makes a ring without sound, which is decoded at a rate. */
export const makeCodeRing = (rate: SoundRate): CodeRing => {
  const scale = samplesPerUnit(rate)
  const codes = new Int16Array(ringUnits).fill(missingCode)
  const samples = new Float32Array(scale * ringUnits)
  const run = new Uint8Array(runUnits)
  let decoder = makeSoundDecoder(rate)
  /** Position up to which codes are decoded, and whether there were any that had to wait. */
  let decodeEnd = 0
  let hasCodes = false

  const isMissing = (at: number): boolean => codes[at & indexMask] === missingCode

  /** Decodes codes of one kind, without a break in the memory of the samples. Returns where they end. */
  const decodeRun = (from: number, to: number): number => {
    const place = from & indexMask
    const kind = (codes[place] ?? silentMark) >> 8
    const codec = codecs[kind]
    const maxUnits = Math.min(runUnits, to - from, ringUnits - place)
    let count = 0
    for (; count < maxUnits; count++) {
      const code = codes[place + count] ?? silentMark
      if (code >> 8 !== kind) break
      run[count] = code & 0xFF
    }
    if (codec !== undefined) decoder.decode(codec, run, count, samples, scale * place)
    else if (kind === readyCode >> 8) decoder.leave()
    return from + count
  }

  return {
    put: ({ bytes, payloadEnd, payloadStart }, codec, at, from) => {
      let write = from
      if (codec !== "g722" && scale === 1) {
        const levels = laws[codec].samples
        for (let read = payloadStart + from - at; read < payloadEnd; read++, write++) {
          samples[write & indexMask] = levels[bytes[read] ?? 0] ?? 0
          codes[write & indexMask] = readyCode
        }
        return
      }
      const kind = codecs.indexOf(codec) << 8
      hasCodes = true
      decodeEnd = Math.min(decodeEnd, from)
      for (let read = payloadStart + from - at; read < payloadEnd; read++, write++) {
        codes[write & indexMask] = kind | (bytes[read] ?? 0)
      }
    },
    putSilence: (from, to) => {
      for (let at = from; at < to; at++) {
        if (!isMissing(at)) continue
        codes[at & indexMask] = silentMark
        samples.fill(0, scale * (at & indexMask), scale * ((at & indexMask) + 1))
      }
    },
    present: (from, limit) => {
      let count = 0
      while (count < limit && !isMissing(from + count)) count += 1
      return count
    },
    countMissing: (from, limit) => {
      let count = 0
      while (count < limit && isMissing(from + count)) count += 1
      return count
    },
    copy: (from, count, into, at) => {
      if (!hasCodes) decodeEnd = from + count
      decodeEnd = Math.max(decodeEnd, from)
      while (decodeEnd < from + count) decodeEnd = decodeRun(decodeEnd, from + count)
      const mask = scale * ringUnits - 1
      const [start, total, place] = [scale * from, scale * count, scale * at]
      for (let index = 0; index < total; index++) into[place + index] = samples[(start + index) & mask] ?? 0
    },
    drop: (from, to) => {
      if (to - from >= ringUnits) {
        codes.fill(missingCode)
        if (hasCodes) decoder = makeSoundDecoder(rate)
        hasCodes = false
        decodeEnd = 0
      } else for (let at = from; at < to; at++) codes[at & indexMask] = missingCode
    }
  }
}
