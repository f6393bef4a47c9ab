import { BusinessTime, makeTurns } from "@trunkline/kernel"
import { type Clock, Context, Effect, Exit, FiberRef, Layer } from "effect"
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from "kysely"
import type { Database } from "./Database.js"
import { DatabaseLocked } from "./DatabaseLocked.js"
import { dialectOn } from "./DialectOn.js"
import type { Fence } from "./Fence.js"
import { Groups } from "./Groups.js"
import { makeLockWait } from "./LockWait.js"

/** What a statement can be given. */
export type SqlValue = string | number | Uint8Array | null

/** How a database is worked with. */
export interface SqlOptions {
  /** Without which nothing is written; null, the default, where nobody else can own the database. */
  readonly fence?: Fence | null
  /** The time in which other processes live, by which it waits for them; Effect's Clock unless given. */
  readonly clock?: Clock.Clock
}

/** The transaction that a fiber runs in. A closed one no longer takes part in anything. */
interface Running {
  /** Whether it may undo the whole group, since nobody else is in it. */
  readonly isFirst: boolean
  open: boolean
  /** Queries that have not ended. */
  queries: number
  /** Told when the last of them has. */
  ended: () => void
}

/**
 * The database, one user at a time: queries and transactions wait for their turn, since all share one connection.
 * Business time stands still while it works. Whatever goes wrong in it is a defect.
 *
 * A database that another process has locked is waited for outside of the turn, so that whoever only reads goes on.
 * From when it was asked, a call waits for 5 seconds, or as long as the `CurrentStorePatience` of its fiber lasts; then
 * it dies with `StoreBusy`, and nothing of it is done. Until it has begun to write, a query may run again from its
 * beginning.
 *
 * Those who wait for each other share a commit, which costs the same for many as for one: each transaction is a
 * savepoint in it, undone alone, and nobody hears of an outcome before it is durable. A commit that fails, and an error
 * after which SQLite undoes everything (a full disk), is a defect for all who had succeeded.
 */
export class Sql extends Context.Tag("@trunkline/storage-kysely/Sql")<Sql, {
  /**
   * Runs one statement whose text is ready, as one turn, or in the running transaction. Where the database is in this
   * process it takes no promise there, so that it costs little more than the statement: for what every call needs.
   */
  readonly execute: <Row>(text: string, values: ReadonlyArray<SqlValue>) => Effect.Effect<QueryResult<Row>>
  /** Runs queries, as one turn; they join the running transaction. */
  readonly query: <A>(run: (db: Kysely<Database>) => Promise<A>) => Effect.Effect<A>
  /**
   * Runs an effect in a transaction, or in the one that runs already. A success is committed; a failure, defect or
   * interruption is rolled back.
   */
  readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** How many wait for their turn. */
  readonly waiting: Effect.Effect<number>
}>() {
  /**
   * The database behind a dialect, closed with the layer. It must enforce foreign keys, and its `lower` must know the
   * letters of every script. Its statements throw `DatabaseLocked` at once where they would have to wait for another
   * process. With a fence nothing is written once there is a newer owner: it dies with `Fenced`.
   */
  static readonly layer = (dialect: Dialect, options: SqlOptions = {}): Layer.Layer<Sql> =>
    Layer.scoped(Sql, make(dialect, options))
}

/** Writes statements that others run. */
export const compiler = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler()
  }
})

/** The connection of a driver, closed with the scope. */
const connectionOf = (driver: Driver) =>
  Effect.acquireRelease(
    Effect.promise(() => driver.init().then(() => driver.acquireConnection())),
    (connection) => Effect.promise(() => driver.releaseConnection(connection).then(() => driver.destroy()))
  )

/** The value of a promise, or that the database was locked before anything was done. */
const orLocked = <A>(run: () => Promise<A>): Effect.Effect<A | DatabaseLocked> =>
  Effect.uninterruptible(Effect.promise(() =>
    run().catch((error: unknown) => {
      if (error instanceof DatabaseLocked) return error
      throw error
    })
  ))

const make = (dialect: Dialect, { clock: others, fence = null }: SqlOptions) =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const driver = dialect.createDriver()
    const connection = yield* connectionOf(driver)
    const groups = new Groups({
      driver,
      connection,
      fence,
      clock,
      isAwaited: () => turns.unsafeWaiting() > 0
    })

    // The outcome of who failed stays, whatever becomes of the others.
    const turns = makeTurns(({ exit, pass }) => {
      const left = groups.leave(pass)
      return Exit.isSuccess(exit) ? left : Effect.exit(left)
    })
    const lock = yield* makeLockWait({
      clock: others ?? clock,
      look: (found) =>
        turns.take(Effect.map(Effect.uninterruptible(Effect.promise(() => groups.look())), (free) => {
          if (free !== null) found(free)
        }))
    })

    /** Has a turn; where the database was locked in it, another one after a wait. */
    const inTurn = <A, E, R>(attempt: Effect.Effect<A | DatabaseLocked, E, R>) =>
      BusinessTime.hold(lock.patiently(turns.take(attempt)))

    const statements: DatabaseConnection = {
      executeQuery: (query) => groups.execute(query),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize)
    }
    const db = new Kysely<Database>({ dialect: dialectOn(statements, dialect) })
    const current = FiberRef.unsafeMake<Running | null>(null)

    const runningAs = (isFirst: boolean): Running => ({ isFirst, open: true, queries: 0, ended: () => {} })
    const begin = Effect.suspend((): Effect.Effect<Running | DatabaseLocked> =>
      groups.beginNow()
        ? Effect.succeed(runningAs(false))
        : Effect.map(
          orLocked(() => groups.beginItem()),
          (isFirst) => isFirst instanceof DatabaseLocked ? isFirst : runningAs(isFirst)
        )
    )
    const end = (running: Running | DatabaseLocked, exit: Exit.Exit<unknown, unknown>) =>
      Effect.suspend(() => {
        if (running instanceof DatabaseLocked) return Effect.void
        running.open = false
        const isDone = running.queries === 0 && Exit.isSuccess(exit) && groups.keepNow(running.isFirst)
        return isDone ? Effect.void : Effect.promise(() => endLater(running, exit))
      })
    const endLater = async (running: Running, exit: Exit.Exit<unknown, unknown>): Promise<void> => {
      if (running.queries > 0) await new Promise<void>((resolve) => running.ended = resolve)
      return Exit.isSuccess(exit) ? groups.keepItem(running.isFirst) : groups.undoItem(running.isFirst)
    }

    const queryIn = async <A>(running: Running, run: (db: Kysely<Database>) => Promise<A>): Promise<A> => {
      running.queries += 1
      try {
        return await run(db)
      } finally {
        running.queries -= 1
        if (running.queries === 0) running.ended()
      }
    }

    /** A statement of the running transaction, without a promise where there is a way. */
    const statementIn = <Row>(
      running: Running,
      text: string,
      values: ReadonlyArray<SqlValue>
    ): Effect.Effect<QueryResult<Row>> => {
      try {
        const answer = groups.executeNow<Row>(text, values)
        if (answer !== null) return Effect.succeed(answer)
      } catch (error) {
        return Effect.promise(() => groups.broke(error))
      }
      const run = (db: Kysely<Database>) => db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
      return Effect.uninterruptible(Effect.promise(() => queryIn(running, run)))
    }

    const execute = <Row>(text: string, values: ReadonlyArray<SqlValue>): Effect.Effect<QueryResult<Row>> =>
      Effect.flatMap(FiberRef.get(current), (running): Effect.Effect<QueryResult<Row>> => {
        if (running?.open === true) return statementIn(running, text, values)
        return inTurn(orLocked(() => db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))))
      })

    const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
      const within = (running: Running | DatabaseLocked): Effect.Effect<A | DatabaseLocked, E, R> =>
        running instanceof DatabaseLocked ? Effect.succeed(running) : Effect.locally(effect, current, running)
      return Effect.flatMap(FiberRef.get(current), (running) =>
        running?.open === true ? effect : inTurn(Effect.acquireUseRelease(begin, within, end)))
    }

    return Sql.of({
      execute,
      query: (run) =>
        Effect.flatMap(FiberRef.get(current), (running) =>
          running?.open === true
            ? Effect.uninterruptible(Effect.promise(() =>
              queryIn(running, run)
            ))
            : inTurn(orLocked(() => run(db)))),
      transaction,
      waiting: Effect.map(turns.waiting, (waiting) => waiting + lock.waiting())
    })
  })
