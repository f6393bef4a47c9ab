import { it } from "@effect/vitest"
import { Effect, FastCheck, type Scope } from "effect"
import { VirtualClock, type VirtualClockOptions } from "../time/VirtualClock.js"

/**
 * A test that runs its effect on `VirtualClock`: sleeping costs no time, and the scope closes in virtual time. Threads and
 * databases have two minutes to be heard of, however busy the machine is.
 *
 * @example
 * ```ts
 * virtual("expires after an hour", () => Effect.zipRight(Effect.sleep("1 hour"), assertExpired))
 * ```
 */
export const virtualTest = <A, E>(
  name: string,
  effect: () => Effect.Effect<A, E, Scope.Scope>,
  options?: VirtualClockOptions
): void => it.live(name, () => VirtualClock.run(Effect.scoped(effect()), { stallTimeout: "2 minutes", ...options }))

/** Default `numRuns` of fast-check, which counts as full size. */
const fullSize = 100

/**
 * Number of runs for a property that takes `full` runs at full size, scaled by the `numRuns` given to
 * `FastCheck.configureGlobal`: 100, the default, is full size, and 20 a fifth of it. It is at least 1.
 */
export const propertyRuns = (full: number): number =>
  Math.max(1, Math.round(full * (FastCheck.readConfigureGlobal().numRuns ?? fullSize) / fullSize))

/** An evenly spaced sample of the cases, as large as `propertyRuns` says; all of them at full size. */
export const propertyCases = <A>(cases: ReadonlyArray<A>): ReadonlyArray<A> => {
  const every = Math.round(cases.length / propertyRuns(cases.length))
  return cases.filter((_, index) => index % every === 0)
}
