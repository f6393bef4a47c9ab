import type { Engine } from "@trunkline/engine"
import { Duration, Effect } from "effect"

/** Times of the end of an engine. */
interface DrainTimes {
  /** Time between the report that the engine is not ready and its last new call. */
  readonly pause: Duration.Duration
  /** Time that calls have to end after that. */
  readonly patience: Duration.Duration
}

/**
 * Takes an engine out of service: it is not ready, goes on for the pause, begins no more calls, and waits for those that go on.
 * Returns the number of calls that have not ended in time.
 */
export const drainEngine = (
  { drain, health, withdraw }: Engine["Type"],
  { patience, pause }: DrainTimes
): Effect.Effect<number> =>
  Effect.gen(function*() {
    yield* withdraw
    if (Duration.greaterThan(pause, Duration.zero)) yield* Effect.sleep(pause)
    yield* Effect.timeoutOption(drain, patience)
    return (yield* health).calls
  })
