import { FastCheck } from "effect"

/** Runs of a property at full size when nothing else is said, as in fast-check. */
const FULL = 100

/**
 * Number of runs of a property that takes `full` runs at full size, scaled by the `numRuns` that `FastCheck.configureGlobal`
 * was given: 100, the default, is full size, and 20 a fifth. It is at least 1.
 */
export const propertyRuns = (full: number): number =>
  Math.max(1, Math.round(full * (FastCheck.readConfigureGlobal().numRuns ?? FULL) / FULL))

/** An even share of some cases, as large as the scale of `propertyRuns`; all of them at full size. */
export const propertyCases = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => {
  const every = Math.round(all.length / propertyRuns(all.length))
  return all.filter((_, index) => index % every === 0)
}
