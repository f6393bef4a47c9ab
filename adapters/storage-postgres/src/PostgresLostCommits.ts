import { StoreUnavailable } from "@trunkline/kernel"
import { Effect } from "effect"
import type { PostgresPool } from "./PostgresPool.js"
import { Conflict, orConflict, retryConflicts } from "./PostgresRetries.js"
import type { CommitId } from "./PostgresTransactions.js"

/** The outcome of a transaction of this run of the server; null for others. */
const readOutcome = `
  select case when pg_postmaster_start_time()::text = ? then pg_xact_status(cast(? as xid8)) end as outcome
`

/**
 * The result of a transaction whose answer may have been lost: its outcome is read over another connection. It is a conflict
 * when the transaction was undone. Dies with `StoreUnavailable` when that cannot be found out: the server has been restarted,
 * or is away.
 */
export const settled = <A, E>(
  pool: PostgresPool,
  result: Effect.Effect<A, E>,
  commit: CommitId | null
): Effect.Effect<A | Conflict, E> => {
  if (commit === null) return result
  const read = pool.use(({ connection }) =>
    orConflict(async () => {
      const { rows: [row] } = await connection.execute<{ readonly outcome: string | null }>(readOutcome, [
        commit.run,
        commit.xid
      ])
      const outcome = row?.outcome ?? null
      return outcome === "in progress" ? new Conflict({ cause: outcome }) : outcome
    })
  )
  return Effect.flatMap(Effect.uninterruptible(retryConflicts(read)), (outcome): Effect.Effect<A | Conflict, E> => {
    if (outcome === "committed") return result
    return outcome === "aborted" ? Effect.succeed(new Conflict({ cause: outcome })) : Effect.die(new StoreUnavailable())
  })
}
