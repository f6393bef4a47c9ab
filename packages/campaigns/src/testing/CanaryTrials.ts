import { type CanaryFigures, isWorse, noFigures, type StopRule } from "../canary/Evidence.js"

/** A campaign of calls whose outcomes are drawn by lot. */
export interface CanaryTrial {
  /** Number of conversations. */
  readonly calls: number
  /** Percentage of them that the canary has. */
  readonly percent: number
  /** True share of successes of each arm. */
  readonly control: number
  readonly canary: number
  /** Draws from 0 to 1. */
  readonly random: () => number
  readonly rule: StopRule
}

/** The number of calls after which a canary stops when it is looked at after each of them; null when it runs through. */
export const firstStop = ({ calls, canary, control, percent, random, rule }: CanaryTrial): number | null => {
  let figures: CanaryFigures = noFigures
  for (let call = 1; call <= calls; call++) {
    const side = 100 * random() < percent ? "canary" : "control"
    const isSuccess = random() < (side === "canary" ? canary : control)
    const { conversations, successes } = figures[side]
    figures = {
      ...figures,
      [side]: { conversations: conversations + 1, successes: successes + (isSuccess ? 1 : 0) }
    }
    if (isWorse(figures, rule)) return call
  }
  return null
}

/** Draws from 0 to 1 that a seed repeats: Mulberry32, a generator in the public domain. */
const drawsOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** So many independent sequences of draws, from `seed` on. */
export const seededShares = (seed: number, count: number): ReadonlyArray<() => number> =>
  Array.from({ length: count }, (_, index) => drawsOf(seed * 7_919 + index * 104_729))
