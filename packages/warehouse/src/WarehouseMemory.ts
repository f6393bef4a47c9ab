import { type Scope, scopeKey } from "@trunkline/kernel"
import { Data, Effect, Layer, Stream } from "effect"
import { makeMemoryDatabase, type MemoryDatabase } from "./memory/MemoryDatabase.js"
import { Warehouse } from "./Warehouse.js"

/** The package sql.js is not installed or failed to load. */
class SqlJsMissing extends Data.TaggedError("SqlJsMissing")<{ readonly cause: unknown }> {
  override get message() {
    return "The in-memory warehouse needs the package sql.js: npm install sql.js@1"
  }
}

/**
 * A warehouse in memory, for tests and scripts. Each workspace has its own SQLite database by sql.js, an optional peer
 * dependency loaded on first use. Without it, facts are discarded and queries die with an error that says so.
 *
 * Statements run in this process and cannot be stopped, neither by the 15-second limit nor by interruption. Result
 * columns have no types.
 */
export const warehouseMemory: Layer.Layer<Warehouse> = Layer.scoped(
  Warehouse,
  Effect.gen(function*() {
    const databases = new Map<string, MemoryDatabase>()
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const database of databases.values()) database.close()
      })
    )
    const engine = yield* Effect.cached(
      Effect.tryPromise(() => import("sql.js/dist/sql-wasm-inline.js")).pipe(
        Effect.mapError((fault) => new SqlJsMissing({ cause: fault })),
        Effect.flatMap(({ default: load }) => Effect.promise(() => load({ useOldExtensionFunctions: false })))
      )
    )
    const withDatabase = <A>(scope: Scope, use: (database: MemoryDatabase) => A) =>
      Effect.map(engine, ({ Database }) => {
        const key = scopeKey(scope)
        const database = databases.get(key) ?? makeMemoryDatabase(new Database(), key)
        databases.set(key, database)
        return use(database)
      })
    /** Makes writes succeed without sql.js, so that only queries need it. */
    const orElseWithoutSqlJs = <A>(write: Effect.Effect<A, SqlJsMissing>, instead: A) =>
      Effect.catchAll(write, () => Effect.succeed(instead))
    return Warehouse.of({
      dialect: "sqlite",
      query: (scope, query) => Effect.flatten(Effect.orDie(withDatabase(scope, (database) => database.query(query)))),
      prepare: (scope, statement) =>
        Effect.flatten(Effect.orDie(withDatabase(scope, (database) => database.prepare(statement)))),
      apply: (scope, changes) =>
        orElseWithoutSqlJs(withDatabase(scope, (database) => database.apply(changes)), changes.to),
      lostWorkspaces: Stream.never,
      markFilled: () => Effect.void,
      watermark: (scope) => orElseWithoutSqlJs(withDatabase(scope, (database) => database.watermark()), 0),
      clear: (scope) => orElseWithoutSqlJs(withDatabase(scope, (database) => database.clear()), undefined)
    })
  })
)
