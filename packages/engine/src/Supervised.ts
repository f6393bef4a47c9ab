import { steadily } from "@trunkline/kernel"
import { Effect, type Fiber, type Scope } from "effect"

/** Keeps a part of the engine running in the background: when it stumbles, that is logged and it starts again. */
export const supervised = <A>(
  name: string,
  part: Effect.Effect<A>
): Effect.Effect<Fiber.RuntimeFiber<A>, never, Scope.Scope> =>
  part.pipe(
    steadily({ message: `${name} stumbled and starts again`, first: "1 second", longest: "1 minute" }),
    Effect.forkScoped
  )
