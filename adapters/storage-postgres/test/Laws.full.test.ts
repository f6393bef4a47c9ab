import { transactionsLaws, TransactionsProbe } from "@trunkline/kernel/testing"
import { LimitsSql, Sql, TransactionsSql } from "@trunkline/storage-kysely"
import {
  fourChangesLaws,
  fourProcessesLaws,
  fourRequestersLaws,
  fourSpendersLaws,
  limitsLaws,
  manyRowsLaws,
  processesLaws,
  sharedLimitsLaws,
  storesLaws
} from "@trunkline/storage-kysely/testing"
import { SqlPostgres, StoragePostgres } from "@trunkline/storage-postgres"
import { Effect, Layer } from "effect"
import { migratedDatabase, onPostgres } from "../../../test/setup/Postgres.js"

const owned = (connections: number) =>
  Layer.unwrapScoped(Effect.map(migratedDatabase, (url) => SqlPostgres.layer({ url, connections })))

const probe = Layer.effect(
  TransactionsProbe,
  Effect.map(Sql, ({ query }) =>
    TransactionsProbe.of({
      put: (account_id, body) =>
        Effect.asVoid(query((db) =>
          db.insertInto("accounts").values({ account_id, body })
            .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ body }))
            .execute()
        )),
      get: (key) =>
        Effect.map(
          query((db) => db.selectFrom("accounts").select("body").where("account_id", "=", key).executeTakeFirst()),
          (row) => row?.body
        )
    }))
)

onPostgres(() => {
  storesLaws(
    "PostgreSQL",
    Layer.unwrapScoped(Effect.map(migratedDatabase, (url) => StoragePostgres.layer({ url })))
  )

  const sharedStores = Effect.map(migratedDatabase, (url) => StoragePostgres.layer({ url, connections: 3 }))
  processesLaws("PostgreSQL", sharedStores)
  fourProcessesLaws("PostgreSQL", sharedStores)
  fourChangesLaws("PostgreSQL", sharedStores)
  fourSpendersLaws("PostgreSQL", sharedStores)

  manyRowsLaws("PostgreSQL", owned(2))
  limitsLaws("PostgreSQL", Layer.provideMerge(LimitsSql.layer, owned(4)))
  const sharedLimits = Effect.map(
    migratedDatabase,
    (url) => Layer.provide(LimitsSql.layer, SqlPostgres.layerShared({ url, connections: 3 }))
  )
  sharedLimitsLaws("PostgreSQL", sharedLimits)
  fourRequestersLaws("PostgreSQL", sharedLimits)

  for (const connections of [1, 4]) {
    transactionsLaws(
      `PostgreSQL, ${connections} connections`,
      Layer.provide(Layer.merge(TransactionsSql.layer, probe), owned(connections)),
      { sideBySide: connections }
    )
  }
})
