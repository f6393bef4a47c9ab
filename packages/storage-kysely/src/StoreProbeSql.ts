import { StoreProbe } from "@trunkline/kernel"
import { Clock, Effect, Layer } from "effect"
import { migrationsOf, schemaVersion } from "./migrations/Migrate.js"
import { Sql } from "./sql/Sql.js"

const key = "probed_at"

/** `StoreProbe` in SQL. The adapter of a file knows its disk. */
export const StoreProbeSql = {
  layer: Layer.effect(
    StoreProbe,
    Effect.gen(function*() {
      const { dialect, query } = yield* Sql
      const { freeBytes, logBytes } = yield* StoreProbe
      return {
        write: Effect.flatMap(
          Clock.currentTimeMillis,
          (value) =>
            query((db) =>
              db.insertInto("engine_state").values({ key, value })
                .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
                .execute()
            )
        ).pipe(Effect.asVoid),
        version: Effect.map(query((db) => schemaVersion(db, dialect)), (version) => ({
          storedVersion: version,
          ownVersion: migrationsOf(dialect).length
        })),
        freeBytes,
        logBytes
      }
    })
  )
}
