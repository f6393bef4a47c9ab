/**
 * Quadrature mirror filters of ITU-T G.722, those that send and those that receive: 24 taps, of which each phase has twelve. Frames on their
 * way through a filter are in memory that all streams of a thread use in turns; a stream keeps its last signals only.
 */

/** Signals of a sub-band in the longest frame that is filtered at once: 20 ms. */
export const bandFrame = 160

/** Signals of each phase that a filter reaches before the first of a frame. */
const pastSamples = 11

/** The two phases of a frame, after those of the frame before. */
const first = new Float64Array(pastSamples + bandFrame)
const second = new Float64Array(pastSamples + bandFrame)

/** Signals of the frame in both sub-bands. */
export const lowSignals = new Int32Array(bandFrame)
export const highSignals = new Int32Array(bandFrame)

/** Last signals of both phases of a stream. */
export type FilterPast = Float64Array

/** Makes the past of a stream that begins, which is silent. */
export const makeFilterPast = (): FilterPast => new Float64Array(2 * pastSamples)

const recall = (past: FilterPast): void => {
  for (let at = 0; at < pastSamples; at++) {
    first[at] = past[at] ?? 0
    second[at] = past[pastSamples + at] ?? 0
  }
}

const keep = (past: FilterPast, count: number): void => {
  for (let at = 0; at < pastSamples; at++) {
    past[at] = first[count + at] ?? 0
    past[pastSamples + at] = second[count + at] ?? 0
  }
}

/** Twelve signals from a position on, weighted by the even taps. */
const evenTaps = (phase: Float64Array, at: number): number =>
  3 * (phase[at] ?? 0) - 11 * (phase[at + 1] ?? 0) + 12 * (phase[at + 2] ?? 0) + 32 * (phase[at + 3] ?? 0) -
  210 * (phase[at + 4] ?? 0) + 951 * (phase[at + 5] ?? 0) + 3_876 * (phase[at + 6] ?? 0) -
  805 * (phase[at + 7] ?? 0) + 362 * (phase[at + 8] ?? 0) - 156 * (phase[at + 9] ?? 0) +
  53 * (phase[at + 10] ?? 0) - 11 * (phase[at + 11] ?? 0)

/** Twelve signals from a position on, weighted by the odd taps: the even ones in reverse. */
const oddTaps = (phase: Float64Array, at: number): number =>
  -11 * (phase[at] ?? 0) + 53 * (phase[at + 1] ?? 0) - 156 * (phase[at + 2] ?? 0) + 362 * (phase[at + 3] ?? 0) -
  805 * (phase[at + 4] ?? 0) + 3_876 * (phase[at + 5] ?? 0) + 951 * (phase[at + 6] ?? 0) -
  210 * (phase[at + 7] ?? 0) + 32 * (phase[at + 8] ?? 0) + 12 * (phase[at + 9] ?? 0) - 11 * (phase[at + 10] ?? 0) +
  3 * (phase[at + 11] ?? 0)

const clamp16 = (value: number): number => value > 0x7FFF ? 0x7FFF : value < -0x8000 ? -0x8000 : value

/** A sample as a 16-bit integer: rounded and clamped, and silence for what is not a number. */
const to16 = (sample: number): number => {
  const level = sample * 0x8000 + 0.5
  return level < 0x8000 ? level >= -0x8000 ? Math.floor(level) : -0x8000 : level > 0 ? 0x7FFF : 0
}

/** Splits samples at 16,000 hertz, from a position on, into the first `count` signals of both sub-bands. */
export const splitBands = (past: FilterPast, samples: Float32Array, at: number, count: number): void => {
  recall(past)
  for (let index = 0; index < count; index++) {
    first[pastSamples + index] = to16(samples[at + 2 * index] ?? 0)
    second[pastSamples + index] = to16(samples[at + 2 * index + 1] ?? 0)
  }
  for (let index = 0; index < count; index++) {
    const even = evenTaps(first, index)
    const odd = oddTaps(second, index)
    lowSignals[index] = (odd + even) >> 14
    highSignals[index] = (odd - even) >> 14
  }
  keep(past, count)
}

/** Joins the first `count` signals of both sub-bands into samples at 16,000 hertz, from a position on. */
export const joinBands = (past: FilterPast, samples: Float32Array, at: number, count: number): void => {
  recall(past)
  for (let index = 0; index < count; index++) {
    const low = lowSignals[index] ?? 0
    const high = highSignals[index] ?? 0
    first[pastSamples + index] = low - high
    second[pastSamples + index] = low + high
  }
  for (let index = 0; index < count; index++) {
    samples[at + 2 * index] = clamp16(Math.floor(oddTaps(first, index) / 0x800)) / 0x8000
    samples[at + 2 * index + 1] = clamp16(Math.floor(evenTaps(second, index) / 0x800)) / 0x8000
  }
  keep(past, count)
}

/** Halves the rate of `2 * count` samples at 16,000 hertz, into memory from a position on: the lower sub-band. */
export const halveRate = (
  past: FilterPast,
  samples: Float32Array,
  count: number,
  into: Float32Array,
  at: number
): void => {
  recall(past)
  for (let index = 0; index < count; index++) {
    first[pastSamples + index] = samples[2 * index] ?? 0
    second[pastSamples + index] = samples[2 * index + 1] ?? 0
  }
  for (let index = 0; index < count; index++) {
    into[at + index] = (evenTaps(first, index) + oddTaps(second, index)) / 0x2000
  }
  keep(past, count)
}

/** Doubles the rate of `count` samples at 8,000 hertz, into memory from a position on: with a silent higher sub-band. */
export const doubleRate = (
  past: FilterPast,
  samples: Float32Array,
  count: number,
  into: Float32Array,
  at: number
): void => {
  recall(past)
  for (let index = 0; index < count; index++) {
    first[pastSamples + index] = second[pastSamples + index] = samples[index] ?? 0
  }
  for (let index = 0; index < count; index++) {
    into[at + 2 * index] = oddTaps(first, index) / 0x1000
    into[at + 2 * index + 1] = evenTaps(second, index) / 0x1000
  }
  keep(past, count)
}
