import { to16 } from "../pcm/Pcm16.js"

/**
 * A telephony codec of ITU-T G.711: one byte a sample, in finer steps for soft samples than for loud ones. Samples go in
 * as 16 bit numbers, rounded and clamped, and every byte is a sample. What was read and is written again becomes the same
 * bytes, but for the negative zero of mu-law, which becomes the positive one.
 */
export interface G711 {
  readonly encode: (samples: Float32Array) => Uint8Array
  readonly decode: (codes: Uint8Array) => Float32Array
  /** From 16 bit numbers. */
  readonly encode16: (numbers: Int16Array) => Uint8Array
  /** To 16 bit numbers. */
  readonly decode16: (codes: Uint8Array) => Int16Array
}

/** One of the two laws. Its steps are counted from 0, the softest, to 127. */
interface Law {
  /** Where a step begins, of 32,768. */
  readonly begin: (step: number) => number
  /** What a step is read as, of 32,768. */
  readonly level: (step: number) => number
  /** The code of a step. */
  readonly code: (step: number, isNegative: boolean) => number
}

const steps = 128

/** The code of each number of 14 bits, whose place is its last 14 bits: no step of either law begins between two. */
const codesOf = ({ begin, code }: Law): Uint8Array => {
  const codes = new Uint8Array(0x4000)
  for (let step = 0; step < steps; step++) {
    const from = begin(step) / 4
    codes.fill(code(step, false), from, 0x2000)
    codes.fill(code(step, true), 0x2000, 0x4000 - from)
  }
  return codes
}

const levelsOf = ({ code, level }: Law): Int16Array => {
  const levels = new Int16Array(2 * steps)
  for (let step = 0; step < steps; step++) {
    levels[code(step, false)] = level(step)
    levels[code(step, true)] = -level(step)
  }
  return levels
}

const g711 = (law: Law): G711 => {
  const codes = codesOf(law)
  const levels = levelsOf(law)
  const samplesOf = Float32Array.from(levels, (level) => level / 32_768)
  return {
    encode: (samples) => {
      const bytes = new Uint8Array(samples.length)
      for (let at = 0; at < bytes.length; at++) bytes[at] = codes[(to16(samples[at] ?? 0) >> 2) & 0x3FFF] ?? 0
      return bytes
    },
    encode16: (numbers) => {
      const bytes = new Uint8Array(numbers.length)
      for (let at = 0; at < bytes.length; at++) bytes[at] = codes[((numbers[at] ?? 0) >> 2) & 0x3FFF] ?? 0
      return bytes
    },
    decode: (bytes) => {
      const samples = new Float32Array(bytes.length)
      for (let at = 0; at < bytes.length; at++) samples[at] = samplesOf[bytes[at] ?? 0] ?? 0
      return samples
    },
    decode16: (bytes) => {
      const numbers = new Int16Array(bytes.length)
      for (let at = 0; at < bytes.length; at++) numbers[at] = levels[bytes[at] ?? 0] ?? 0
      return numbers
    }
  }
}

/** Steps double in size from one segment of 16 to the next; 33 is taken off so that the first begins at 0. */
const mulawValue = (step: number, half: number): number => (((2 * (step & 15) + 32 + half) << (step >> 4)) - 33) * 4

/** The same without an offset, but the second segment is as fine as the first. */
const alawValue = (step: number, half: number): number =>
  step < 16 ? (2 * step + half) * 8 : ((2 * (step & 15) + 32 + half) << ((step >> 4) - 1)) * 8

/** mu-law, which telephones use in North America and Japan. */
export const mulaw: G711 = g711({
  begin: (step) => Math.max(0, mulawValue(step, 0)),
  level: (step) => mulawValue(step, 1),
  code: (step, isNegative) => (isNegative ? 0x7F : 0xFF) - step
})

/** A-law, which telephones use elsewhere. */
export const alaw: G711 = g711({
  begin: (step) => alawValue(step, 0),
  level: (step) => alawValue(step, 1),
  code: (step, isNegative) => (isNegative ? 0x55 : 0xD5) ^ step
})
