import { Effect } from "effect"

/** Result of a promise, with its rejection as the failure. */
export const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.flatten(
    Effect.promise(() => run().then((value) => Effect.succeed(value), (error: unknown) => Effect.fail(error)))
  )
