import { callStoresLaws } from "@trunkline/storage-kysely/testing"
import { StoragePostgres } from "@trunkline/storage-postgres"
import { Effect, Layer } from "effect"
import { migratedDatabase, onPostgres } from "../../../test/setup/Postgres.js"

// A part that runs in seconds. All laws are in Laws.full.test.ts.
onPostgres(() => {
  callStoresLaws(
    "PostgreSQL",
    Layer.unwrapScoped(Effect.map(migratedDatabase, (url) => StoragePostgres.layer({ url })))
  )
})
