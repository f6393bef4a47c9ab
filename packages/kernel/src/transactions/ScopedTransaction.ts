import { Effect, Exit, Scope } from "effect"
import type { Transactions } from "./Transactions.js"

/** The runs of a transaction. */
interface Runs {
  last: Scope.CloseableScope | null
}

/**
 * Runs a transaction whose effect takes something in memory, such as a line, and gives it back in a finalizer that looks at
 * the exit. The scope of a run that is rolled back and run again closes with a failure; that of the last run closes with
 * the exit of the transaction, so that a commit that fails counts as a failure.
 *
 * @example
 * ```ts
 * yield* scopedTransaction(transactions.runGuarded, Effect.zipRight(takeLine, store.claim(id)))
 * ```
 */
export const scopedTransaction = <A, E, R>(
  run: typeof Transactions.Service["run"],
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
  Effect.acquireUseRelease(
    Effect.sync((): Runs => ({ last: null })),
    (runs) =>
      run(Effect.suspend(() =>
        Effect.zipRight(
          runs.last === null ? Effect.void : Scope.close(runs.last, Exit.die("The transaction is run again")),
          Effect.flatMap(Scope.make(), (scope) => {
            runs.last = scope
            return Scope.extend(effect, scope)
          })
        )
      )),
    ({ last }, exit) => last === null ? Effect.void : Scope.close(last, exit)
  )
