/** Converts a sample to a 16-bit integer: rounded and clamped to full scale, without dithering. */
const to16 = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)))

/** Converts samples to 16-bit integers with `to16`. Samples that came from 16-bit integers convert back exactly. */
export const toPcm16 = (samples: Float32Array): Int16Array => {
  const numbers = new Int16Array(samples.length)
  for (let at = 0; at < samples.length; at++) numbers[at] = to16(samples[at] ?? 0)
  return numbers
}

/** Converts 16-bit integers to samples; -32768 becomes -1. */
export const fromPcm16 = (numbers: Int16Array): Float32Array => {
  const samples = new Float32Array(numbers.length)
  for (let at = 0; at < numbers.length; at++) samples[at] = (numbers[at] ?? 0) / 32_768
  return samples
}

/** Encodes samples as 16-bit little-endian PCM. */
export const toLinear16 = (samples: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < samples.length; at++) view.setInt16(at * 2, to16(samples[at] ?? 0), true)
  return bytes
}

/** Decodes 16-bit little-endian PCM; a last odd byte is ignored. */
export const fromLinear16 = (bytes: Uint8Array): Float32Array => {
  const samples = new Float32Array(Math.floor(bytes.length / 2))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * 2, true) / 32_768
  return samples
}

/**
 * A telephony codec of ITU-T G.711: one byte per sample, with finer steps for quiet samples than for loud ones. Samples
 * are encoded from 16-bit integers, rounded and clamped. Decoding and encoding bytes returns the same bytes, except for
 * the negative zero of mu-law, which becomes the positive one.
 */
export interface G711 {
  readonly encode: (samples: Float32Array) => Uint8Array
  /** Encodes samples into every `step`-th byte from an index on, so that nothing is allocated. */
  readonly encodeInto: (samples: Float32Array, into: Uint8Array, at: number, step: number) => void
  readonly decode: (codes: Uint8Array) => Float32Array
  /** Encodes 16-bit integers. */
  readonly encode16: (numbers: Int16Array) => Uint8Array
  /** Decodes to 16-bit integers. */
  readonly decode16: (codes: Uint8Array) => Int16Array
}

/** One of the two companding laws. Steps count from 0, the quietest, to 127. */
interface Law {
  /** Start of a step, out of 32,768. */
  readonly begin: (step: number) => number
  /** Decoded level of a step, out of 32,768. */
  readonly level: (step: number) => number
  /** Code of a step. */
  readonly code: (step: number, isNegative: boolean) => number
}

const steps = 128

/** Codes of all 14-bit integers, the lowest first: steps of both laws begin at 14-bit boundaries. */
const codesOf = ({ begin, code }: Law): Uint8Array => {
  const codes = new Uint8Array(0x4000)
  for (let step = 0; step < steps; step++) {
    const from = begin(step) / 4
    codes.fill(code(step, false), 0x2000 + from)
    codes.fill(code(step, true), 0, 0x2000 - from)
  }
  return codes
}

/** Place of a sample in these codes: that of its 16-bit integer by `to16`, in a third of the time. */
const placeOf = (sample: number): number => {
  const place = sample * 0x2000 + 0x2000 + 0.125
  if (place >= 0x4000) return 0x3FFF
  return place >= 0 ? place | 0 : place < 0 ? 0 : 0x2000
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
  const encodeInto: G711["encodeInto"] = (samples, into, at, step) => {
    for (let index = 0, place = at; index < samples.length; index++, place += step) {
      into[place] = codes[placeOf(samples[index] ?? 0)] ?? 0
    }
  }
  return {
    encode: (samples) => {
      const bytes = new Uint8Array(samples.length)
      encodeInto(samples, bytes, 0, 1)
      return bytes
    },
    encodeInto,
    encode16: (numbers) => {
      const bytes = new Uint8Array(numbers.length)
      for (let at = 0; at < bytes.length; at++) bytes[at] = codes[((numbers[at] ?? 0) >> 2) + 0x2000] ?? 0
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

/** Steps double in size with each segment of 16; the offset of 33 makes the first begin at 0. */
const mulawValue = (step: number, half: number): number => (((2 * (step & 15) + 32 + half) << (step >> 4)) - 33) * 4

/** As for mu-law without the offset, but the second segment is as fine as the first. */
const alawValue = (step: number, half: number): number =>
  step < 16 ? (2 * step + half) * 8 : ((2 * (step & 15) + 32 + half) << ((step >> 4) - 1)) * 8

/** mu-law, used by telephony in North America and Japan. */
export const mulaw: G711 = g711({
  begin: (step) => Math.max(0, mulawValue(step, 0)),
  level: (step) => mulawValue(step, 1),
  code: (step, isNegative) => (isNegative ? 0x7F : 0xFF) - step
})

/** A-law, used by telephony elsewhere. */
export const alaw: G711 = g711({
  begin: (step) => alawValue(step, 0),
  level: (step) => alawValue(step, 1),
  code: (step, isNegative) => (isNegative ? 0x55 : 0xD5) ^ step
})
