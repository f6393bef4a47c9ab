import { makeHistogram } from "@trunkline/kernel"
import { type Clock, Effect } from "effect"

const waits = makeHistogram({
  name: "trunkline_database_wait_seconds",
  help: "Time that queries and transactions waited for a connection of the database",
  bounds: [0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
})

/** Runs work behind a lock, and records how long it waited for that. */
export const measureWait = <A, E, R>(
  clock: Clock.Clock,
  withLock: (work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const began = clock.unsafeCurrentTimeNanos()
    return withLock(Effect.suspend(() => {
      waits.record(Number(clock.unsafeCurrentTimeNanos() - began) / 1e9)
      return work
    }))
  })
