import { makeImdct } from "./Imdct.js"
import { slopes } from "./Slopes.js"
import type { WindowInfo, WindowShape } from "./WindowInfo.js"

const size = 1_024
const short = 128

/** Where a short slope lies in a long window. */
const margin = (size - short) / 2

const longSamples = makeImdct(size)
const shortSamples = makeImdct(short)

/** Samples are written as 16 bit numbers, and the transform makes them so many times larger. */
const loudness = (values: number): number => 1 / (32_768 * values)

/** Makes samples of the values of one channel, frame by frame. */
export class FilterBank {
  /** What is left of the frame before. */
  #rest = new Float32Array(size)
  #shape: WindowShape = "sine"

  /** The 1,024 samples that are ready after one more frame. */
  samples(spectrum: Float32Array, { sequence, shape }: WindowInfo): Float32Array {
    const windowed = sequence === "short" ? this.#short(spectrum, shape) : this.#long(spectrum, sequence, shape)
    const samples = windowed.slice(0, size)
    for (let at = 0; at < size; at++) samples[at] = (samples[at] ?? 0) + (this.#rest[at] ?? 0)
    this.#rest = windowed.slice(size)
    this.#shape = shape
    return samples
  }

  #long(spectrum: Float32Array, sequence: WindowInfo["sequence"], shape: WindowShape): Float32Array {
    const samples = longSamples(spectrum)
    const scale = loudness(size)
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
    const scale = loudness(short)
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
