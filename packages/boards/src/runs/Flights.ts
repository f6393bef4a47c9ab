import { Deferred, Effect, Fiber, FiberId, type Scope } from "effect"

/** Runs work that several callers wait for once. */
interface SingleFlight<A, E> {
  /**
   * Waits for the running work of this key, or starts this work. An interrupted caller leaves; when the last one has
   * left, the work is interrupted and its end awaited.
   */
  readonly join: (key: string, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

interface Flight<A, E> {
  readonly fiber: Deferred.Deferred<Fiber.Fiber<A, E>>
  waiting: number
}

/** Creates a single flight whose work ends with the scope. */
export const makeFlights = <A, E>(): Effect.Effect<SingleFlight<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const flights = new Map<string, Flight<A, E>>()

    const removeFlight = (key: string, flight: Flight<A, E>) => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    const start = (key: string, flight: Flight<A, E>, work: Effect.Effect<A, E>) =>
      Effect.ensuring(Effect.interruptible(work), Effect.sync(() => removeFlight(key, flight))).pipe(
        Effect.forkIn(scope),
        Effect.flatMap((fiber) => Deferred.succeed(flight.fiber, fiber))
      )
    const leave = (key: string, flight: Flight<A, E>) =>
      Effect.suspend(() => {
        flight.waiting--
        if (flight.waiting > 0) return Effect.void
        removeFlight(key, flight)
        return Effect.flatMap(Deferred.await(flight.fiber), Fiber.interrupt)
      })

    return {
      join: (key, work) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const known = flights.get(key)
            const flight = known ?? { fiber: Deferred.unsafeMake<Fiber.Fiber<A, E>>(FiberId.none), waiting: 0 }
            flight.waiting++
            flights.set(key, flight)
            return (known === undefined ? start(key, flight, work) : Effect.void).pipe(
              Effect.zipRight(restore(Effect.flatMap(Deferred.await(flight.fiber), Fiber.await))),
              Effect.flatten,
              Effect.ensuring(leave(key, flight))
            )
          })
        )
    }
  })
