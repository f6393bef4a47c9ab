import { makeImdct } from "./Imdct.js"
import type { WindowInfo, WindowShape } from "./Windows.js"

const size = 1_024
const short = 128

/** Start of a short slope in a long window. */
const margin = (size - short) / 2

const longSamples = makeImdct(size)
const shortSamples = makeImdct(short)

/** Scale to samples from -1 to 1: values are coded as 16 bit numbers, and the transform multiplies them by their count. */
const scaleOf = (values: number): number => 1 / (32_768 * values)

/** Modified Bessel function of the first kind and order 0, by its power series. */
const bessel = (x: number): number => {
  let sum = 1
  for (let term = x * x / 4, k = 1; term > sum * 1e-12; k++, term *= x * x / (4 * k * k)) sum += term
  return sum
}

const sine = (length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => Math.sin(Math.PI * (at + 1 / 2) / (2 * length)))

/** Slope derived from a Kaiser-Bessel window, which is narrower for a larger `alpha`. */
const kaiser = (length: number, alpha: number): Float32Array => {
  const window = Array.from(
    { length: length + 1 },
    (_, at) => bessel(Math.PI * alpha * Math.sqrt(1 - (2 * at / length - 1) ** 2))
  )
  const total = window.reduce((sum, value) => sum + value, 0)
  let sum = 0
  return Float32Array.from(window.slice(0, length), (value) => {
    sum += value
    return Math.sqrt(sum / total)
  })
}

/** Rising slopes of windows; they fall the same way (ISO/IEC 14496-3, 4.6.11.3.2). */
const slopes: Readonly<Record<"long" | "short", Readonly<Record<WindowShape, Float32Array>>>> = {
  long: { sine: sine(size), kaiser: kaiser(size, 4) },
  short: { sine: sine(short), kaiser: kaiser(short, 6) }
}

/** Turns the spectra of one channel into samples, block by block. */
export class FilterBank {
  /** Second half of the block before, which overlaps with the next. */
  #overlap = new Float32Array(size)
  #shape: WindowShape = "sine"

  /** Returns the 1,024 samples that are complete after one more block. */
  samples(spectrum: Float32Array, { sequence, shape }: WindowInfo): Float32Array {
    const block = sequence === "short" ? this.#short(spectrum, shape) : this.#long(spectrum, sequence, shape)
    const samples = block.slice(0, size)
    for (let at = 0; at < size; at++) samples[at] = (samples[at] ?? 0) + (this.#overlap[at] ?? 0)
    this.#overlap = block.slice(size)
    this.#shape = shape
    return samples
  }

  #long(spectrum: Float32Array, sequence: WindowInfo["sequence"], shape: WindowShape): Float32Array {
    const samples = longSamples(spectrum)
    const scale = scaleOf(size)
    const rise = sequence === "stop" ? slopes.short[this.#shape] : slopes.long[this.#shape]
    const fall = sequence === "start" ? slopes.short[shape] : slopes.long[shape]
    const before = sequence === "stop" ? margin : 0
    const after = sequence === "start" ? margin : 0
    for (let at = 0; at < size; at++) {
      const risen = at < before ? 0 : rise[at - before] ?? 1
      const fallen = at < after ? 0 : fall[at - after] ?? 1
      samples[at] = (samples[at] ?? 0) * risen * scale
      samples[2 * size - 1 - at] = (samples[2 * size - 1 - at] ?? 0) * fallen * scale
    }
    return samples
  }

  #short(spectrum: Float32Array, shape: WindowShape): Float32Array {
    const sum = new Float32Array(2 * size)
    const scale = scaleOf(short)
    const fall = slopes.short[shape]
    for (let window = 0; window < size / short; window++) {
      const samples = shortSamples(spectrum.subarray(window * short, (window + 1) * short))
      const rise = window === 0 ? slopes.short[this.#shape] : fall
      const first = margin + window * short
      for (let at = 0; at < short; at++) {
        const [risen, fallen] = [rise[at] ?? 0, fall[at] ?? 0]
        const last = 2 * short - 1 - at
        sum[first + at] = (sum[first + at] ?? 0) + (samples[at] ?? 0) * risen * scale
        sum[first + last] = (sum[first + last] ?? 0) + (samples[last] ?? 0) * fallen * scale
      }
    }
    return sum
  }
}
