import { TransactionsProbe, transactionsLaws } from "@trunkline/kernel/testing"
import { Sql, TransactionsSql } from "@trunkline/storage-kysely"
import { storesLaws } from "@trunkline/storage-kysely/testing"
import { SqlSqlite, StorageSqlite } from "@trunkline/storage-sqlite"
import { Effect, Layer } from "effect"
import { temporaryFile } from "./files.js"

const inFile = Layer.unwrapScoped(Effect.map(temporaryFile, (file) => StorageSqlite.layer({ file })))

storesLaws("SQLite file", inFile)
storesLaws("SQLite in memory", StorageSqlite.layer({ file: ":memory:" }))

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

transactionsLaws(
  "SQLite",
  Layer.provide(Layer.merge(TransactionsSql.layer, probe), SqlSqlite.layer({ file: ":memory:" }))
)
