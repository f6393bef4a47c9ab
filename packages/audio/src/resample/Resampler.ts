import { SampleWindow, unchanged } from "../SampleWindow.js"
import type { AudioProcessor } from "../Sound.js"
import { type Center, filterOf, telephone, whole } from "./PolyphaseFilter.js"

/** Settings of a resampler. */
export interface ResamplerOptions {
  /** Sample rate of the input: a positive integer. */
  readonly from: number
  /** Sample rate of the output: a positive integer. */
  readonly to: number
  /**
   * The sound to keep clean. `whole`, the default, keeps all of it below half the lower rate. `telephone` is for speech to
   * a telephone line and takes a quarter of the time: where the rate is lowered, sound from 50 % to 58 % of the lower rate is
   * folded back to the band above 42 %, beyond telephone speech, and sound above that is attenuated by at least 39 dB, to the
   * noise of the line's own codec (G.711 keeps 38 dB). ITU-T G.712 asks for 25 dB from 4.6 kHz on, which is 57.5 % of 8 kHz.
   */
  readonly band?: "whole" | "telephone"
}

const gcd = (one: number, other: number): number => other === 0 ? one : gcd(other, one % other)

/** Dot product of `taps` samples and filter taps, from a position in each. */
const dot = (
  samples: Float32Array,
  at: number,
  { from, table, taps }: { readonly table: Float64Array; readonly from: number; readonly taps: number }
): number => {
  let even = 0
  let odd = 0
  for (let tap = 0; tap < taps; tap += 2) {
    even += (samples[at + tap] ?? 0) * (table[from + tap] ?? 0)
    odd += (samples[at + tap + 1] ?? 0) * (table[from + tap + 1] ?? 0)
  }
  return even + odd
}

/**
 * Fills an array with every `step`th sample of a filtered sound, the first one of them around a position. Two samples at the
 * same distance share a product, and four outputs in a row share the loads of the taps: both save more than half the time.
 * Each output is the same in any row.
 */
const decimate = (
  samples: Float32Array,
  into: Float32Array,
  { around, center: { distances, last, middle, weights }, half, step }: {
    readonly around: number
    readonly step: number
    readonly half: number
    readonly center: Center
  }
): void => {
  const { length } = distances
  let place = 0
  let first = around
  for (; place + 4 <= into.length; place += 4, first += 4 * step) {
    const [second, third, fourth] = [first + step, first + 2 * step, first + 3 * step]
    let one = (samples[first] ?? 0) * middle + (samples[first + half] ?? 0) * last
    let two = (samples[second] ?? 0) * middle + (samples[second + half] ?? 0) * last
    let three = (samples[third] ?? 0) * middle + (samples[third + half] ?? 0) * last
    let four = (samples[fourth] ?? 0) * middle + (samples[fourth + half] ?? 0) * last
    for (let pair = 0; pair < length; pair++) {
      const away = distances[pair] ?? 0
      const weight = weights[pair] ?? 0
      one += ((samples[first - away] ?? 0) + (samples[first + away] ?? 0)) * weight
      two += ((samples[second - away] ?? 0) + (samples[second + away] ?? 0)) * weight
      three += ((samples[third - away] ?? 0) + (samples[third + away] ?? 0)) * weight
      four += ((samples[fourth - away] ?? 0) + (samples[fourth + away] ?? 0)) * weight
    }
    into[place] = one
    into[place + 1] = two
    into[place + 2] = three
    into[place + 3] = four
  }
  for (; place < into.length; place++, first += step) {
    let sum = (samples[first] ?? 0) * middle + (samples[first + half] ?? 0) * last
    for (let pair = 0; pair < length; pair++) {
      const away = distances[pair] ?? 0
      sum += ((samples[first - away] ?? 0) + (samples[first + away] ?? 0)) * (weights[pair] ?? 0)
    }
    into[place] = sum
  }
}

/**
 * Makes a processor that changes the sample rate. The output has exactly `to / from` times the samples, rounded, without
 * delay, and does not depend on how the input is divided into chunks. Frequencies up to 42 % of the lower rate are kept
 * to within 0.001 dB (measured; 0.1 dB for `telephone`); those above half of it are attenuated by at least 80 dB, except
 * as `telephone` says.
 *
 * @example
 * ```ts
 * const resampler = makeResampler({ from: 48000, to: 8000 })
 * const samples = concatSamples([resampler.push(audio.samples), resampler.end()])
 * ```
 */
export const makeResampler = ({ band = "whole", from, to }: ResamplerOptions): AudioProcessor => {
  if (from === to) return unchanged
  const common = gcd(from, to)
  const step = from / common
  const parts = to / common
  const { center, phases, table, taps } = filterOf(step, parts, band === "telephone" && to < from ? telephone : whole)
  const half = taps / 2
  const window = new SampleWindow(half)
  let sampleCount = 0
  let position = 0
  let part = 0

  const sampleHere = (): number => {
    const exact = part * phases / parts
    const phase = Math.floor(exact)
    const at = position - half + 1 - window.first
    const before = dot(window.samples, at, { table, from: phase * taps, taps })
    if (exact === phase) return before
    return before + (exact - phase) * (dot(window.samples, at, { table, from: (phase + 1) * taps, taps }) - before)
  }

  const fill = (samples: Float32Array): void => {
    for (let at = 0; at < samples.length; at++) {
      samples[at] = sampleHere()
      part += step
      position += Math.floor(part / parts)
      part %= parts
    }
  }

  /** All samples are at whole positions, for which the first phase of the filter suffices. */
  const fillWhole = (samples: Float32Array): void => {
    decimate(window.samples, samples, { around: position - window.first, step, half, center })
    position += samples.length * step
  }

  const emitUpTo = (count: number): Float32Array => {
    const samples = new Float32Array(Math.max(0, count - sampleCount))
    if (parts === 1) fillWhole(samples)
    else fill(samples)
    sampleCount += samples.length
    window.discardBefore(position - half + 1)
    return samples
  }

  return {
    push: (samples) => {
      window.append(samples)
      return emitUpTo(Math.ceil((window.end - half) * parts / step))
    },
    end: () => {
      const count = Math.round(window.end * parts / step)
      window.appendSilence(half + 1)
      return emitUpTo(count)
    }
  }
}
