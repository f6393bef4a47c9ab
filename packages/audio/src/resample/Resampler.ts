import { SampleWindow } from "../SampleWindow.js"
import type { SoundProcessor } from "../Sound.js"
import { unchanged } from "../Unchanged.js"
import { filterOf } from "./Filter.js"

/** The rates of a resampler, in samples per second: whole numbers above 0. */
export interface Rates {
  readonly from: number
  readonly to: number
}

const divisor = (one: number, other: number): number => other === 0 ? one : divisor(other, one % other)

/** The sum of products of as many numbers as `taps`, from one place in each. */
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
 * Gives a sound another rate. The result has exactly `to / from` times the samples, rounded, and is not delayed: it is
 * the same for the same sound in whatever pieces. Frequencies up to 42 % of the lower rate stay as they are, to 0.001 dB
 * as measured; those beyond half of it are at least 80 dB down.
 */
export const makeResampler = ({ from, to }: Rates): SoundProcessor => {
  if (from === to) return unchanged
  const common = divisor(from, to)
  const step = from / common
  const parts = to / common
  const { phases, table, taps } = filterOf(step, parts)
  const half = taps / 2
  const window = new SampleWindow(half)
  let given = 0
  let whole = 0
  let part = 0

  const sampleHere = (): number => {
    const exact = part * phases / parts
    const phase = Math.floor(exact)
    const at = whole - half + 1 - window.first
    const before = dot(window.samples, at, { table, from: phase * taps, taps })
    if (exact === phase) return before
    return before + (exact - phase) * (dot(window.samples, at, { table, from: (phase + 1) * taps, taps }) - before)
  }

  const giveUpTo = (count: number): Float32Array => {
    const samples = new Float32Array(Math.max(0, count - given))
    for (let at = 0; at < samples.length; at++) {
      samples[at] = sampleHere()
      part += step
      whole += Math.floor(part / parts)
      part %= parts
    }
    given += samples.length
    window.forget(whole - half + 1)
    return samples
  }

  return {
    push: (samples) => {
      window.append(samples)
      return giveUpTo(Math.ceil((window.end - half) * parts / step))
    },
    end: () => {
      const count = Math.round(window.end * parts / step)
      window.appendSilence(half + 1)
      return giveUpTo(count)
    }
  }
}
