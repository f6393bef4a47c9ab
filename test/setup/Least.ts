import { Effect } from "effect"

/** Times that a figure is measured. */
const maxRuns = 4

/**
 * Measures a delay until it is below a limit, at most four times, and returns the least. A busy machine delays some of the
 * runs; a product that blocks delays each.
 */
export const leastDelay = <E, R>(limit: number, measure: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> => {
  const measured = (runs: number): Effect.Effect<number, E, R> =>
    Effect.flatMap(
      measure,
      (delay) =>
        delay < limit || runs === maxRuns
          ? Effect.succeed(delay)
          : Effect.map(measured(runs + 1), (other) => Math.min(delay, other))
    )
  return measured(1)
}
