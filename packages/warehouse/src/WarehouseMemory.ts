import { type Scope, scopeKey } from "@trunkline/kernel"
import { Data, Effect, Layer, Stream } from "effect"
import { type MemoryDatabase, memoryDatabase } from "./memory/MemoryDatabase.js"
import { Warehouse } from "./Warehouse.js"

/** sql.js is not installed, or does not load. */
class SqlJsMissing extends Data.TaggedError("SqlJsMissing")<{ readonly cause: unknown }> {
  override get message() {
    return "A warehouse in memory needs the package sql.js: npm install sql.js@1"
  }
}

/**
 * Keeps each workspace's facts in an SQLite database of its own in memory, with sql.js (an optional peer, loaded at the
 * first use; without it facts go nowhere, and queries die and say so). For tests and scripts only: statements run in this process, where
 * nothing can stop them, neither their 15 seconds nor an interruption. Result columns have no types.
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
    const of = <A>(scope: Scope, use: (database: MemoryDatabase) => A) =>
      Effect.map(engine, ({ Database }) => {
        const key = scopeKey(scope)
        const database = databases.get(key) ?? memoryDatabase(new Database(), key)
        databases.set(key, database)
        return use(database)
      })
    /** Whoever does not ask in SQL need not have sql.js: what would be written stands then where it was to stand. */
    const orNothing = <A>(write: Effect.Effect<A, SqlJsMissing>, instead: A) =>
      Effect.catchAll(write, () => Effect.succeed(instead))
    return Warehouse.of({
      dialect: "sqlite",
      query: (scope, query) => Effect.flatten(Effect.orDie(of(scope, (database) => database.query(query)))),
      prepare: (scope, statement) => Effect.flatten(Effect.orDie(of(scope, (database) => database.prepare(statement)))),
      apply: (scope, changes) => orNothing(of(scope, (database) => database.apply(changes)), changes.to),
      lost: Stream.never,
      filled: () => Effect.void,
      watermark: (scope) => orNothing(of(scope, (database) => database.watermark()), 0),
      clear: (scope) => orNothing(of(scope, (database) => database.clear()), undefined)
    })
  })
)
