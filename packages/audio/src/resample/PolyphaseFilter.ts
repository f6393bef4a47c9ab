import { LRUCache } from "lru-cache"

/** A polyphase low-pass filter: taps for positions between two samples. */
export interface LowPassFilter {
  /** Number of samples that each phase covers. */
  readonly taps: number
  /** Number of phases between two samples. The table has one more, which equals the first phase one sample later. */
  readonly phases: number
  /** Taps of all phases in order; those of each phase add up to 1. */
  readonly table: Float64Array
  readonly center: Center
}

/** The first phase, which is symmetric around its tap `taps / 2 - 1`, but for its last tap. */
export interface Center {
  readonly middle: number
  readonly last: number
  /**
   * Distances from the middle, and their taps. Those with a tap of 0 are left out: with a cutoff at half the lower rate, each
   * multiple of the ratio of the rates (a Nyquist filter).
   */
  readonly distances: Int32Array
  readonly weights: Float64Array
}

/** Design of a filter: a sinc in a Kaiser window. */
export interface Design {
  /** Zero crossings of the sinc on each side, which give the width of the transition band. */
  readonly crossings: number
  /** Cutoff of the sinc as a share of half the lower rate: the middle of the transition band. */
  readonly cutoff: number
  /** Parameter of the window for an attenuation of A dB in the stop band: 0.1102 (A - 8.7). */
  readonly beta: number
}

/** A transition band from 42 % to 50 % of the lower rate, and 80 dB. */
export const whole: Design = { crossings: 32, cutoff: 0.92, beta: 7.857 }

/** A transition band from 42 % to 58 % of the lower rate, and 40 dB: its window's parameter is that for less than 50 dB. */
export const telephone: Design = { crossings: 8, cutoff: 1, beta: 3.395 }

/** Largest table with a phase for every position; larger ones have fewer phases and interpolate. */
const maxTaps = 131_072

/** Phases per sample of the lower rate in a reduced table: the interpolation error stays below -100 dB. */
const reducedPhases = 512

/** Sine below which an angle counts as a multiple of pi. */
const roundingError = 1e-9

/** Modified Bessel function of the first kind and order 0, by its power series. */
const bessel = (x: number): number => {
  const quarter = x * x / 4
  let sum = 1
  for (let term = quarter, k = 1; term > sum * 1e-12; k++, term *= quarter / (k * k)) sum += term
  return sum
}

const centerOf = (row: Float64Array): Center => {
  const half = row.length / 2
  const weightAt = (distance: number): number => row[half - 1 - distance] ?? 0
  const distances = Int32Array.from({ length: half - 1 }, (_, index) => index + 1).filter((each) =>
    weightAt(each) !== 0
  )
  return {
    middle: weightAt(0),
    last: row[row.length - 1] ?? 0,
    distances,
    weights: Float64Array.from(distances, weightAt)
  }
}

const makeFilter = (from: number, to: number, { beta, crossings, cutoff }: Design): LowPassFilter => {
  const scale = Math.min(1, to / from)
  const half = Math.ceil(crossings / scale)
  const taps = 2 * half
  const phases = to * taps <= maxTaps ? to : Math.ceil(reducedPhases * scale)
  const table = new Float64Array((phases + 1) * taps)
  for (let phase = 0; phase <= phases; phase++) {
    const row = table.subarray(phase * taps, (phase + 1) * taps)
    for (let tap = 0; tap < taps; tap++) {
      const x = (tap - half + 1 - phase / phases) * scale
      const angle = Math.PI * cutoff * x
      const sine = Math.sin(angle)
      const sinc = angle === 0 ? 1 : Math.abs(sine) < roundingError ? 0 : sine / angle
      row[tap] = sinc * bessel(beta * Math.sqrt(Math.max(0, 1 - (x / crossings) ** 2)))
    }
    const sum = row.reduce((sum, value) => sum + value, 0)
    for (let tap = 0; tap < taps; tap++) row[tap] = (row[tap] ?? 0) / sum
  }
  return { taps, phases, table, center: centerOf(table.subarray(0, taps)) }
}

/** Number of cached filters: more than the pairs of rates that are in use at a time. */
const maxFilters = 16

const filters = new LRUCache<string, LowPassFilter>({ max: maxFilters })

/** The filter between two coprime rates, from a cache of the most recently used ones. */
export const filterOf = (from: number, to: number, design: Design = whole): LowPassFilter => {
  const key = `${from}:${to}:${design.crossings}`
  const filter = filters.get(key) ?? makeFilter(from, to, design)
  filters.set(key, filter)
  return filter
}
