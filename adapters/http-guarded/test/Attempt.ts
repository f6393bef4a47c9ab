import { Effect } from "effect"

/** What a promise comes to, with whatever it was rejected with as the failure. */
export const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.flatten(
    Effect.promise(() => run().then((value) => Effect.succeed(value), (error: unknown) => Effect.fail(error)))
  )
