/** A low-pass filter in phases: the taps for places between two samples. */
export interface Filter {
  /** How many samples each phase is laid over. */
  readonly taps: number
  /** How many phases there are from one sample to the next; one more follows, which is the first a sample later. */
  readonly phases: number
  /** The taps of all phases, phase by phase; those of each add up to 1. */
  readonly table: Float64Array
}

/** Zero crossings of the sinc on each side, which make the transition from 42 % to 50 % of the lower rate. */
const CROSSINGS = 32

/** Puts what is beyond half the lower rate 80 dB down: 0.1102 (80 - 8.7), after Kaiser. */
const BETA = 7.857

/** Where the sinc cuts off, as a part of half the lower rate: in the midst of the transition, which ends there. */
const CUTOFF = 0.92

/** How many taps a table holds before its phases are thinned out. */
const MOST_TAPS = 131_072

/** Phases for each sample of the lower rate of a thinned table: enough for an error below -100 dB between two. */
const THINNED_PHASES = 512

/** The modified Bessel function of the first kind and order 0, by its power series. */
const bessel = (x: number): number => {
  const quarter = x * x / 4
  let sum = 1
  for (let term = quarter, k = 1; term > sum * 1e-12; k++, term *= quarter / (k * k)) sum += term
  return sum
}

const makeFilter = (from: number, to: number): Filter => {
  const scale = Math.min(1, to / from)
  const half = Math.ceil(CROSSINGS / scale)
  const taps = 2 * half
  const phases = to * taps <= MOST_TAPS ? to : Math.ceil(THINNED_PHASES * scale)
  const table = new Float64Array((phases + 1) * taps)
  for (let phase = 0; phase <= phases; phase++) {
    const row = table.subarray(phase * taps, (phase + 1) * taps)
    for (let tap = 0; tap < taps; tap++) {
      const x = (tap - half + 1 - phase / phases) * scale
      const angle = Math.PI * CUTOFF * x
      const sinc = angle === 0 ? 1 : Math.sin(angle) / angle
      row[tap] = sinc * bessel(BETA * Math.sqrt(Math.max(0, 1 - (x / CROSSINGS) ** 2)))
    }
    const sum = row.reduce((sum, value) => sum + value, 0)
    for (let tap = 0; tap < taps; tap++) row[tap] = (row[tap] ?? 0) / sum
  }
  return { taps, phases, table }
}

/** How many filters are kept: more than there are pairs of usual rates in use at a time. */
const KEPT = 16

const kept = new Map<string, Filter>()

/** The filter from one rate to another, which have no common divisor; the same one for the same two. */
export const filterOf = (from: number, to: number): Filter => {
  const key = `${from}:${to}`
  const filter = kept.get(key) ?? makeFilter(from, to)
  kept.delete(key)
  kept.set(key, filter)
  for (const oldest of kept.keys()) {
    if (kept.size > KEPT) kept.delete(oldest)
  }
  return filter
}
