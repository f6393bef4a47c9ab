import { BusinessTime, StoreBusy } from "@trunkline/kernel"
import {
  breakFence,
  type Database,
  type Fence,
  postgresSql,
  Sql,
  type SqlValue,
  type Statements
} from "@trunkline/storage-kysely"
import { Cause, Clock, type Context, Data, Effect, Exit, FiberRef, Schedule } from "effect"
import { CompiledQuery, type Kysely, type QueryResult } from "kysely"
import { numbered, type PostgresConnection } from "./PostgresConnection.js"
import { isConflict, isLockTimeout } from "./PostgresErrors.js"
import type { PostgresPool, Session } from "./PostgresPool.js"

/** The machine's clock, which the server shares more or less, whatever clock the program runs by. */
export const machineClock = Clock.make()

/** Statements that begin a transaction; the commit of a lossy one does not wait for the disk. */
const beginTexts = {
  guarded: "begin isolation level read committed",
  lossy: "begin isolation level read committed; set local synchronous_commit = off",
  serializable: "begin isolation level serializable"
}

type Kind = keyof typeof beginTexts

/** The transaction of a fiber. */
interface ActiveTransaction {
  readonly session: Session
  isOpen: boolean
  /** Number of running queries. */
  queries: number
  /** Called when the last running query has ended. */
  onIdle: () => void
}

/** The database chose a transaction to be undone, since others stood in its way. It may be run again. */
class Conflict extends Data.TaggedError("Conflict")<{ readonly cause: unknown }> {}

/** Pauses between the runs of a transaction that meets others: from 1 to 50 ms, half as long again each time, for 10 s. */
const pauses = Schedule.exponential("1 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("50 millis")),
  Schedule.jittered,
  Schedule.upTo("10 seconds")
)

/** Runs an attempt again by the machine's clock after each conflict; dies with `StoreBusy` when there is no end to them. */
const retryConflicts = <A, E, R>(attempt: Effect.Effect<A | Conflict, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(attempt, (answer) => {
    if (!(answer instanceof Conflict)) return Effect.succeed(answer)
    return Effect.flatMap(Schedule.driver(pauses), (pause) => {
      const again: Effect.Effect<A, E, R> = pause.next(undefined).pipe(
        Effect.withClock(machineClock),
        Effect.catchAll(() => Effect.die(new StoreBusy())),
        Effect.zipRight(attempt),
        Effect.flatMap((answer) => answer instanceof Conflict ? again : Effect.succeed(answer))
      )
      return again
    })
  })

/** A process cannot be removed from the others while a transaction that has read it this way runs. */
const readProcess = "select 1 as found from processes where process_id = ? for key share"

/** Begins a transaction; rejects with `Fenced` when others have taken over the work of this process. */
const begin = async (connection: PostgresConnection, kind: Kind, fence: Fence | null): Promise<void> => {
  connection.failure = null
  const begun = connection.control(beginTexts[kind])
  if (fence === null) {
    await begun
    return
  }
  const [, { rows }] = await Promise.all([begun, connection.execute(readProcess, [fence.number])])
  if (rows.length === 0) throw breakFence(fence)
}

const rollback = async (connection: PostgresConnection): Promise<void> => {
  if (connection.isBroken) return
  await connection.control("rollback").catch(() => {
    connection.isBroken = true
  })
}

const beginOrRollback = async (...[connection, kind, fence]: Parameters<typeof begin>): Promise<void> => {
  try {
    await begin(connection, kind, fence)
  } catch (error) {
    await rollback(connection)
    throw error
  }
}

/** The error of a failed operation, in the terms of the stores. */
const translate = (error: unknown): unknown => isLockTimeout(error) ? new StoreBusy() : error

/** Commits; rejects when the server has undone the transaction, because a statement failed whose error was caught. */
const commit = async (connection: PostgresConnection): Promise<void> => {
  if (connection.failure !== null) throw connection.failure.error
  await connection.control("commit")
}

/** Runs queries on their own; from the first write on they are in a transaction. */
const runAlone = async <A>(
  { connection, db }: Session,
  fence: Fence | null,
  run: (db: Kysely<Database>) => Promise<A>
): Promise<A> => {
  let begun: Promise<void> | null = null
  connection.beforeWrite = () => begun ??= begin(connection, "guarded", fence)
  try {
    const result = await run(db)
    if (begun !== null) await commit(connection)
    return result
  } catch (error) {
    if (begun !== null) await rollback(connection)
    throw error
  } finally {
    connection.beforeWrite = null
  }
}

/** Waits until no query of a transaction runs. */
const idle = (active: ActiveTransaction): Promise<void> =>
  active.queries === 0 ? Promise.resolve() : new Promise((resolve) => active.onIdle = resolve)

/** The value of a promise, or a conflict with others; dies with other errors. It cannot be interrupted. */
const orConflict = <A>(run: () => Promise<A>): Effect.Effect<A | Conflict> =>
  Effect.uninterruptible(Effect.promise(() =>
    run().catch((error: unknown) => {
      if (isConflict(error)) return new Conflict({ cause: error })
      throw translate(error)
    })
  ))

/** Options of `makeSql`. */
interface PostgresSqlOptions {
  /** The right to write of a process among others; null for tools, whose work nobody takes over. */
  readonly fence: Fence | null
}

/** `Sql` over a pool of connections. */
export const makeSql = (pool: PostgresPool, { fence }: PostgresSqlOptions): Context.Tag.Service<typeof Sql> => {
  const current = FiberRef.unsafeMake<ActiveTransaction | null>(null)

  const queryIn = <A>(active: ActiveTransaction, run: (session: Session) => Promise<A>): Effect.Effect<A> =>
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
  const end = async <A, E>(active: ActiveTransaction, exit: Exit.Exit<A, E>): Promise<Exit.Exit<A | Conflict, E>> => {
    await idle(active)
    active.isOpen = false
    const { connection } = active.session
    const failed = async (error: unknown): Promise<Exit.Exit<A | Conflict, E>> => {
      await rollback(connection)
      const isStopped = Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
      if (isConflict(error) && !isStopped) return Exit.succeed(new Conflict({ cause: error }))
      return Exit.isFailure(exit) ? exit : Exit.die(translate(error))
    }
    if (Exit.isFailure(exit)) return failed(connection.failure?.error)
    try {
      await commit(connection)
      return exit
    } catch (error) {
      return failed(error)
    }
  }

  const runOnce = <A, E, R>(effect: Effect.Effect<A, E, R>, kind: Kind): Effect.Effect<A | Conflict, E, R> =>
    pool.use((session) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const begun = yield* orConflict(() => beginOrRollback(session.connection, kind, fence))
          if (begun instanceof Conflict) return begun
          const active: ActiveTransaction = { session, isOpen: true, queries: 0, onIdle: () => {} }
          const exit = yield* Effect.exit(restore(Effect.locally(effect, current, active)))
          return yield* Effect.flatten(Effect.promise(() => end(active, exit)))
        })
      )
    )

  const within = (kind: Kind) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) =>
      fiber.getFiberRef(current)?.isOpen === true
        ? effect
        : BusinessTime.hold(retryConflicts(runOnce(effect, kind)))
    )
  const transaction = within("guarded")
  const lossy = within("lossy")

  const query = <A>(run: (db: Kysely<Database>) => Promise<A>): Effect.Effect<A> =>
    Effect.withFiberRuntime((fiber) => {
      const active = fiber.getFiberRef(current)
      return active?.isOpen === true
        ? queryIn(active, ({ db }) => run(db))
        : BusinessTime.hold(retryConflicts(pool.use((session) => orConflict(() => runAlone(session, fence, run)))))
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
