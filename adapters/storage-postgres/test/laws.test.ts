import { storesLaws } from "@trunkline/storage-kysely/testing"
import { StoragePostgres } from "@trunkline/storage-postgres"
import { Effect, Layer } from "effect"
import { migratedDatabase, onPostgres } from "./server.js"

onPostgres(() => {
  storesLaws(
    "PostgreSQL",
    Layer.unwrapScoped(Effect.map(migratedDatabase, (url) => StoragePostgres.layer({ url })))
  )
})
