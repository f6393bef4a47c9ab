import { type Scope, scopeKey } from "@trunkline/kernel"
import { Effect, Layer, Stream } from "effect"
import { type MemoryDatabase, memoryDatabase } from "./memory/MemoryDatabase.js"
import { Warehouse } from "./Warehouse.js"

/**
 * Keeps each workspace's facts in an SQLite database of its own in memory, with sql.js (an optional peer, loaded at the
 * first use; without it every call dies and says so). For tests and scripts only: statements run in this process, where
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
        Effect.mapError((fault) => new Error("Install sql.js to keep a warehouse in memory.", { cause: fault })),
        Effect.flatMap(({ default: load }) => Effect.promise(() => load({ useOldExtensionFunctions: false }))),
        Effect.orDie
      )
    )
    const of = <A>(scope: Scope, use: (database: MemoryDatabase) => A) =>
      Effect.map(engine, ({ Database }) => {
        const key = scopeKey(scope)
        const database = databases.get(key) ?? memoryDatabase(new Database(), key)
        databases.set(key, database)
        return use(database)
      })
    return Warehouse.of({
      dialect: "sqlite",
      query: (scope, query) => Effect.flatten(of(scope, (database) => database.query(query))),
      prepare: (scope, statement) => Effect.flatten(of(scope, (database) => database.prepare(statement))),
      apply: (scope, changes) => of(scope, (database) => database.apply(changes)),
      lost: Stream.never,
      filled: () => Effect.void,
      watermark: (scope) => of(scope, (database) => database.watermark()),
      clear: (scope) => of(scope, (database) => database.clear())
    })
  })
)
