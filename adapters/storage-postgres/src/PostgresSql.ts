import { BusinessTime } from "@trunkline/kernel"
import { type Database, type Fence, postgresSql, Sql, type SqlValue, type Statements } from "@trunkline/storage-kysely"
import { Cause, type Context, Effect, Exit, FiberRef } from "effect"
import { CompiledQuery, type Kysely, type QueryResult } from "kysely"
import { numbered } from "./PostgresConnection.js"
import { settled } from "./PostgresLostCommits.js"
import type { PostgresPool, PostgresSession } from "./PostgresPool.js"
import { Conflict, isUndone, orConflict, retryConflicts, translate } from "./PostgresRetries.js"
import {
  beginOrRollback,
  commit,
  type CommitId,
  type Ended,
  LostCommit,
  rollback,
  runAlone,
  type TransactionKind
} from "./PostgresTransactions.js"

/** The transaction of a fiber. */
interface ActiveTransaction {
  readonly session: PostgresSession
  readonly commitId: CommitId | null
  isOpen: boolean
  /** Number of running queries. */
  queries: number
  /** Called when the last running query has ended. */
  onIdle: () => void
}

/** Waits until no query of a transaction runs. */
const idle = (active: ActiveTransaction): Promise<void> =>
  active.queries === 0 ? Promise.resolve() : new Promise((resolve) => active.onIdle = resolve)

/** Options of `makeSql`. */
interface PostgresSqlOptions {
  /** The right to write of a process among others; null for tools, whose work nobody takes over. */
  readonly fence: Fence | null
}

/** `Sql` over a pool of connections. */
export const makeSql = (pool: PostgresPool, { fence }: PostgresSqlOptions): Context.Tag.Service<typeof Sql> => {
  const current = FiberRef.unsafeMake<ActiveTransaction | null>(null)

  const queryIn = <A>(active: ActiveTransaction, run: (session: PostgresSession) => Promise<A>): Effect.Effect<A> =>
    Effect.uninterruptible(Effect.promise(async () => {
      active.queries += 1
      try {
        return await run(active.session)
      } catch (error) {
        throw translate(error)
      } finally {
        active.queries -= 1
        if (active.queries === 0) active.onIdle()
      }
    }))

  /** Ends a transaction: the exit of its effect, or a conflict that allows to run it again. */
  const end = async <A, E>(
    active: ActiveTransaction,
    exit: Exit.Exit<A, E>
  ): Promise<Ended<Exit.Exit<A | Conflict, E>>> => {
    await idle(active)
    active.isOpen = false
    const { connection } = active.session
    const undo = async (error: unknown): Promise<Ended<Exit.Exit<A | Conflict, E>>> => {
      await rollback(connection)
      const isStopped = Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
      if (isUndone(error) && !isStopped) return { result: Exit.succeed(new Conflict({ cause: error })), lost: null }
      return { result: Exit.isFailure(exit) ? exit : Exit.die(translate(error)), lost: null }
    }
    if (Exit.isFailure(exit)) return undo(connection.failure?.error)
    try {
      await commit(connection)
      return { result: exit, lost: null }
    } catch (error) {
      const { commitId } = active
      return error instanceof LostCommit && commitId !== null ? { result: exit, lost: commitId } : undo(error)
    }
  }

  const runOnce = <A, E, R>(effect: Effect.Effect<A, E, R>, kind: TransactionKind): Effect.Effect<A | Conflict, E, R> =>
    pool.use((session) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const commitId = yield* orConflict(() => beginOrRollback(session.connection, kind, fence))
          if (commitId instanceof Conflict) return { result: Exit.succeed(commitId), lost: null }
          const active: ActiveTransaction = { session, commitId, isOpen: true, queries: 0, onIdle: () => {} }
          const exit = yield* Effect.exit(restore(Effect.locally(effect, current, active)))
          return yield* Effect.promise(() => end(active, exit))
        })
      )
    ).pipe(Effect.flatMap(({ lost, result }) => settled(pool, result, lost)))

  const within = (kind: TransactionKind) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) =>
      fiber.getFiberRef(current)?.isOpen === true
        ? effect
        : BusinessTime.hold(retryConflicts(runOnce(effect, kind)))
    )
  const transaction = within("guarded")
  const lossy = within("lossy")

  const runAloneOnce = <A>(run: (db: Kysely<Database>) => Promise<A>): Effect.Effect<A | Conflict> =>
    Effect.flatMap(
      pool.use((session) => orConflict(() => runAlone(session, fence, run))),
      (outcome) =>
        outcome instanceof Conflict
          ? Effect.succeed(outcome)
          : settled(pool, Effect.succeed(outcome.result), outcome.lost)
    )

  const query = <A>(run: (db: Kysely<Database>) => Promise<A>): Effect.Effect<A> =>
    Effect.withFiberRuntime((fiber) => {
      const active = fiber.getFiberRef(current)
      return active?.isOpen === true
        ? queryIn(active, ({ db }) => run(db))
        : BusinessTime.hold(retryConflicts(runAloneOnce(run)))
    })

  const execute = <Row>(text: string, values: ReadonlyArray<SqlValue>): Effect.Effect<QueryResult<Row>> =>
    Effect.withFiberRuntime((fiber) => {
      const active = fiber.getFiberRef(current)
      return active?.isOpen === true
        ? queryIn(active, ({ connection }) => connection.execute<Row>(text, values))
        : query((db) => db.executeQuery<Row>(CompiledQuery.raw(numbered(text), [...values])))
    })

  const statements = <A>(
    run: () => Statements<A>,
    { durable = true }: { readonly durable?: boolean } = {}
  ): Effect.Effect<A> =>
    Effect.withFiberRuntime((fiber) => {
      const active = fiber.getFiberRef(current)
      return active?.isOpen === true
        ? queryIn(active, ({ connection }) => connection.run(run()))
        : (durable ? transaction : lossy)(statements(run))
    })

  return Sql.of({
    dialect: postgresSql,
    execute,
    statements,
    query,
    transaction,
    serializable: within("serializable"),
    waiting: Effect.sync(pool.waiting),
    unsafeWaiting: pool.waiting
  })
}
