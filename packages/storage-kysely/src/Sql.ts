import { BusinessTime, makeTurns } from "@trunkline/kernel"
import { Context, Effect, Exit, FiberRef, Layer } from "effect"
import {
  type ControlledTransaction,
  type Dialect,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from "kysely"
import type { Database } from "./Database.js"

/** The transaction that a fiber runs in. A closed one no longer takes part in anything. */
interface Running {
  readonly db: ControlledTransaction<Database>
  open: boolean
}

/**
 * The database, one user at a time: queries and transactions wait for their turn, since all share one connection.
 * Business time stands still while it works. Whatever goes wrong in it is a defect.
 */
export class Sql extends Context.Tag("@trunkline/storage-kysely/Sql")<Sql, {
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
   * letters of every script.
   */
  static readonly layer = (dialect: Dialect): Layer.Layer<Sql> => Layer.scoped(Sql, make(dialect))
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

const make = (dialect: Dialect) =>
  Effect.gen(function*() {
    const db = yield* Effect.acquireRelease(
      Effect.sync(() => new Kysely<Database>({ dialect })),
      (db) => Effect.promise(() => db.destroy())
    )
    const current = FiberRef.unsafeMake<Running | null>(null)
    const turns = makeTurns()
    const inTurn = <A, E, R>(effect: Effect.Effect<A, E, R>) => BusinessTime.hold(turns.take(effect))

    const begin = Effect.map(
      Effect.promise(() => db.startTransaction().execute()),
      (db): Running => ({ db, open: true })
    )
    const commit = ({ db }: Running) => Effect.promise(() => db.commit().execute())
    const rollback = ({ db }: Running) => Effect.ignoreLogged(Effect.tryPromise(() => db.rollback().execute()))
    const end = (running: Running, exit: Exit.Exit<unknown, unknown>) =>
      Effect.suspend(() => {
        running.open = false
        return Exit.isSuccess(exit) ? Effect.onError(commit(running), () => rollback(running)) : rollback(running)
      })

    return Sql.of({
      query: (run) =>
        Effect.flatMap(FiberRef.get(current), (running) => {
          const queries = (on: Kysely<Database>) => Effect.uninterruptible(Effect.promise(() => run(on)))
          return running?.open === true ? queries(running.db) : inTurn(queries(db))
        }),
      transaction: (effect) =>
        Effect.flatMap(FiberRef.get(current), (running) =>
          running?.open === true
            ? effect
            : inTurn(
              Effect.acquireUseRelease(begin, (running) => Effect.locally(effect, current, running), end)
            )),
      waiting: turns.waiting
    })
  })
