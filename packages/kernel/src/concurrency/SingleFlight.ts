import { Deferred, Effect, Fiber, FiberId, type Scope } from "effect"

/** Shares one running effect among all concurrent callers with the same key. */
export interface SingleFlight<A, E> {
  /**
   * Waits for the running effect of this key, or starts this one if none is running. Interrupting one caller leaves the
   * effect running for the others. When the last caller is interrupted, the effect is too, and its end is awaited.
   * Results are not kept: a call after the end runs again.
   */
  readonly join: (key: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

interface Flight<A, E> {
  readonly fiber: Deferred.Deferred<Fiber.Fiber<A, E>>
  waiting: number
}

/**
 * Makes a `SingleFlight` whose running effects end with the scope.
 *
 * Effect's `RcMap` and `Cache` do not fit: they take the effect when they are made instead of with each call, `Cache`
 * does not interrupt an abandoned lookup, and `RcMap` would give a finished result to later callers.
 *
 * @example
 * ```ts
 * const flights = yield* makeSingleFlight<QueryResult, QueryRefused>()
 * const result = yield* flights.join(key, warehouse.query(scope, query))
 * ```
 */
export const makeSingleFlight = <A, E>(): Effect.Effect<SingleFlight<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const flights = new Map<string, Flight<A, E>>()

    const forget = (key: string, flight: Flight<A, E>) => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    const start = (key: string, flight: Flight<A, E>, effect: Effect.Effect<A, E>) =>
      Effect.ensuring(Effect.interruptible(effect), Effect.sync(() => forget(key, flight))).pipe(
        Effect.forkIn(scope),
        Effect.flatMap((fiber) => Deferred.succeed(flight.fiber, fiber))
      )
    const leave = (key: string, flight: Flight<A, E>) =>
      Effect.suspend(() => {
        flight.waiting--
        if (flight.waiting > 0) return Effect.void
        forget(key, flight)
        return Effect.flatMap(Deferred.await(flight.fiber), Fiber.interrupt)
      })

    return {
      join: (key, effect) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const running = flights.get(key)
            const flight = running ?? { fiber: Deferred.unsafeMake<Fiber.Fiber<A, E>>(FiberId.none), waiting: 0 }
            flight.waiting++
            flights.set(key, flight)
            return (running === undefined ? start(key, flight, effect) : Effect.void).pipe(
              Effect.zipRight(restore(Effect.flatMap(Deferred.await(flight.fiber), Fiber.await))),
              Effect.flatten,
              Effect.ensuring(leave(key, flight))
            )
          })
        )
    }
  })
