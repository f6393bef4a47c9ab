import { Cause, Effect, type Fiber, Schedule, type Scope } from "effect"

/** Keeps a part of the engine running in the background: when it stumbles, that is logged and it starts again, in technical time. */
export const supervised = <A>(
  name: string,
  part: Effect.Effect<A>
): Effect.Effect<Fiber.RuntimeFiber<A>, never, Scope.Scope> =>
  part.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError(`${name} stumbled and starts again`, Cause.pretty(cause))),
    Effect.retry({
      while: (cause) => !Cause.isInterrupted(cause),
      schedule: Schedule.union(Schedule.exponential("1 second"), Schedule.spaced("1 minute"))
    }),
    Effect.unsandbox,
    Effect.forkScoped
  )
