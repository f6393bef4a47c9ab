import { BusinessTime, makeFairMutex } from "@trunkline/kernel"
import { type Clock, Context, Effect, Exit, FiberRef, Layer } from "effect"
import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, Kysely, type QueryResult } from "kysely"
import type { Database } from "../schema/Database.js"
import { DatabaseLocked, dialectOn } from "./Connection.js"
import { measureWait } from "./DatabaseWait.js"
import { GroupCommit } from "./GroupCommit.js"
import { makeLockWait } from "./LockWait.js"
import type { Fence } from "./Ownership.js"
import { type SqlDialect, sqliteSql } from "./SqlDialect.js"
import { runNow, runRest, type SqlValue, type StatementRunner, type Statements } from "./Statement.js"

/** Options of `Sql.layer`. */
export interface SqlOptions {
  /**
   * The right to write; nothing is written once it is broken. Null, the default, where no other process can own the
   * database.
   */
  readonly fence?: Fence | null
  /** Clock of the waits for other processes; Effect's Clock unless given. */
  readonly clock?: Clock.Clock
}

/** The transaction of a fiber. */
interface ActiveTransaction {
  /** True if it opened its group, and so can roll back the group as a whole. */
  readonly isFirst: boolean
  isOpen: boolean
  /** Number of running queries. */
  queries: number
  /** Called when the last running query has ended. */
  onIdle: () => void
}

/**
 * The database, behind a mutex: all callers share one connection, so queries and transactions run one at a time, in the
 * order of arrival. Business time stands still while they run. Every error of the database is a defect.
 *
 * A caller that finds the database locked by another process waits outside of the mutex, so that readers go on. It waits
 * for at most 5 seconds, or for what is left of its fiber's `CurrentStoreWaitBudget`; then it dies with `StoreBusy`, and
 * nothing of it is done. A query may be retried from its beginning as long as it has not written.
 *
 * Transactions that wait for each other share a commit (group commit): each is a savepoint, rolled back on its own, and
 * completes once the commit is durable. When it fails, or SQLite rolls all back (a full disk), the whole group dies.
 */
export class Sql extends Context.Tag("@trunkline/storage-kysely/Sql")<Sql, {
  /** The SQL of this database, where it differs from that of others. */
  readonly dialect: SqlDialect
  /**
   * Runs one prepared text, on its own or in the running transaction. In a transaction on a database of this process it
   * runs synchronously, and costs little more than the statement. Use it for the statements of every call.
   */
  readonly execute: <Row>(text: string, values: ReadonlyArray<SqlValue>) => Effect.Effect<QueryResult<Row>>
  /**
   * Runs some prepared texts in order, in one transaction or in the running one. On a database of this process they run
   * synchronously, as one step: use it for several statements of every call. A transaction of its own that is not `durable`
   * (default true) may be lost with the machine, and does not wait for the disk where the database can do without.
   * @example
   * ```ts
   * sql.statements(function*() {
   *   const { rows: [contact] } = yield* statement<{ readonly seat: number }>(take, [number])
   *   if (contact !== undefined) yield* statement(leave, [contact.seat])
   * })
   * ```
   */
  readonly statements: <A>(run: () => Statements<A>, options?: { readonly durable?: boolean }) => Effect.Effect<A>
  /** Runs queries without others in between, on their own or in the running transaction. */
  readonly query: <A>(run: (db: Kysely<Database>) => Promise<A>) => Effect.Effect<A>
  /**
   * Runs an effect in a transaction, or in the one that is running. Commits on success; rolls back on failure, defect or
   * interruption. Where transactions run side by side, each statement sees what has been committed before it: every write
   * must check in its own condition what was read before, or lock it.
   */
  readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Runs an effect in a transaction whose outcome is as if no other ran at the same time. Where transactions run side by
   * side, one that cannot be reconciled with the others is rolled back and run again from its beginning.
   */
  readonly serializable: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Number of callers that wait for the mutex or for another process. */
  readonly waiting: Effect.Effect<number>
  /** The same number, at this moment. */
  readonly unsafeWaiting: () => number
}>() {
  /**
   * The database behind a dialect, closed with the layer. The dialect must enforce foreign keys, its `lower` must fold
   * the letters of every script, and its statements must throw `DatabaseLocked` instead of waiting for another process.
   * With a fence, every write dies with `Fenced` once the database has a newer owner.
   */
  static readonly layer = (dialect: Dialect, options: SqlOptions = {}): Layer.Layer<Sql> =>
    Layer.scoped(Sql, make(dialect, options))
}

/** The connection of a driver, closed with the scope. */
const connect = (driver: Driver) =>
  Effect.acquireRelease(
    Effect.promise(() => driver.init().then(() => driver.acquireConnection())),
    (connection) => Effect.promise(() => driver.releaseConnection(connection).then(() => driver.destroy()))
  )

/** The value of a promise, or the `DatabaseLocked` it rejects with, before which nothing was done. */
const orLocked = <A>(run: () => Promise<A>): Effect.Effect<A | DatabaseLocked> =>
  Effect.uninterruptible(Effect.promise(() =>
    run().catch((error: unknown) => {
      if (error instanceof DatabaseLocked) return error
      throw error
    })
  ))

const make = (dialect: Dialect, { clock: lockClock, fence = null }: SqlOptions) =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const driver = dialect.createDriver()
    const connection = yield* connect(driver)
    const group = new GroupCommit({
      driver,
      connection,
      fence,
      clock,
      isAwaited: () => mutex.unsafeWaiting() > 0
    })

    // A caller that failed keeps its own exit, whatever becomes of the group.
    const mutex = makeFairMutex(({ exit, pass }) => {
      const settlement = group.settle(pass)
      return Exit.isSuccess(exit) ? settlement : Effect.exit(settlement)
    })
    const lock = yield* makeLockWait({
      clock: lockClock ?? clock,
      probe: (onFree) =>
        mutex.withLock(Effect.map(Effect.uninterruptible(Effect.promise(() => group.probe())), (access) => {
          if (access !== null) onFree(access)
        }))
    })

    /** Runs an attempt under the mutex, again after a wait where the database was locked. */
    const exclusive = <A, E, R>(attempt: Effect.Effect<A | DatabaseLocked, E, R>) =>
      BusinessTime.hold(lock.retryWhileLocked(measureWait(clock, mutex.withLock, attempt)))

    const sharedConnection: DatabaseConnection = {
      executeQuery: (query) => group.execute(query),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize)
    }
    const db = new Kysely<Database>({ dialect: dialectOn(sharedConnection, dialect) })
    const current = FiberRef.unsafeMake<ActiveTransaction | null>(null)

    const fresh = (isFirst: boolean): ActiveTransaction => ({ isFirst, isOpen: true, queries: 0, onIdle: () => {} })
    const begin = Effect.suspend((): Effect.Effect<ActiveTransaction | DatabaseLocked> =>
      group.tryBegin()
        ? Effect.succeed(fresh(false))
        : Effect.map(
          orLocked(() => group.begin()),
          (isFirst) => isFirst instanceof DatabaseLocked ? isFirst : fresh(isFirst)
        )
    )
    const end = (active: ActiveTransaction | DatabaseLocked, exit: Exit.Exit<unknown, unknown>) =>
      Effect.suspend(() => {
        if (active instanceof DatabaseLocked) return Effect.void
        active.isOpen = false
        const isDone = active.queries === 0 && Exit.isSuccess(exit) && group.tryRelease(active.isFirst)
        return isDone ? Effect.void : Effect.promise(() => endWhenIdle(active, exit))
      })
    const endWhenIdle = async (active: ActiveTransaction, exit: Exit.Exit<unknown, unknown>): Promise<void> => {
      if (active.queries > 0) await new Promise<void>((resolve) => active.onIdle = resolve)
      return Exit.isSuccess(exit) ? group.release(active.isFirst) : group.rollback(active.isFirst)
    }

    const queryIn = async <A>(active: ActiveTransaction, run: (db: Kysely<Database>) => Promise<A>): Promise<A> => {
      active.queries += 1
      try {
        return await run(db)
      } finally {
        active.queries -= 1
        if (active.queries === 0) active.onIdle()
      }
    }

    /** Runs a statement of a transaction, synchronously where possible. */
    const executeIn = <Row>(
      active: ActiveTransaction,
      text: string,
      values: ReadonlyArray<SqlValue>
    ): Effect.Effect<QueryResult<Row>> => {
      try {
        const result = group.executeNow<Row>(text, values)
        if (result !== null) return Effect.succeed(result)
      } catch (error) {
        return Effect.promise(() => group.fail(error))
      }
      const run = (db: Kysely<Database>) => db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
      return Effect.uninterruptible(Effect.promise(() => queryIn(active, run)))
    }

    const execute = <Row>(text: string, values: ReadonlyArray<SqlValue>): Effect.Effect<QueryResult<Row>> =>
      Effect.withFiberRuntime((fiber) => {
        const active = fiber.getFiberRef(current)
        if (active?.isOpen === true) return executeIn(active, text, values)
        return exclusive(orLocked(() => db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))))
      })

    const runner: StatementRunner = {
      executeNow: (text, values) => group.executeNow(text, values),
      execute: <Row>(query: CompiledQuery) => db.executeQuery<Row>(query),
      fail: (error) => group.fail(error)
    }

    const statementsIn = <A>(active: ActiveTransaction, script: Statements<A>): Effect.Effect<A> => {
      try {
        const step = runNow(script, runner)
        return step.done === true
          ? Effect.succeed(step.value)
          : Effect.uninterruptible(Effect.promise(() => queryIn(active, () => runRest(script, step.value, runner))))
      } catch (error) {
        return Effect.promise(() => group.fail(error))
      }
    }

    const statements = <A>(run: () => Statements<A>): Effect.Effect<A> =>
      Effect.withFiberRuntime((fiber) => {
        const active = fiber.getFiberRef(current)
        return active?.isOpen === true ? statementsIn(active, run()) : transaction(statements(run))
      })

    const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
      const within = (active: ActiveTransaction | DatabaseLocked): Effect.Effect<A | DatabaseLocked, E, R> =>
        active instanceof DatabaseLocked ? Effect.succeed(active) : Effect.locally(effect, current, active)
      return Effect.withFiberRuntime((fiber) =>
        fiber.getFiberRef(current)?.isOpen === true
          ? effect
          : exclusive(Effect.acquireUseRelease(begin, within, end))
      )
    }

    const unsafeWaiting = () => mutex.unsafeWaiting() + lock.waiting()

    return Sql.of({
      dialect: sqliteSql,
      execute,
      statements,
      query: (run) =>
        Effect.flatMap(FiberRef.get(current), (active) =>
          active?.isOpen === true
            ? Effect.uninterruptible(Effect.promise(() => queryIn(active, run)))
            : exclusive(orLocked(() => run(db)))),
      transaction,
      serializable: transaction,
      waiting: Effect.sync(unsafeWaiting),
      unsafeWaiting
    })
  })
