import { transactionsLaws, TransactionsProbe } from "@trunkline/kernel/testing"
import { Sql, TransactionsSql } from "@trunkline/storage-kysely"
import { storesLaws } from "@trunkline/storage-kysely/testing"
import { SqlSqlite, StorageSqlite } from "@trunkline/storage-sqlite"
import { Effect, Layer } from "effect"
import { get, put, temporaryFile } from "./files.js"

const inFile = Layer.unwrapScoped(Effect.map(temporaryFile, (file) => StorageSqlite.layer({ file })))

storesLaws("SQLite file", inFile)
storesLaws("SQLite in memory", StorageSqlite.layer({ file: ":memory:" }))

const probe = Layer.effect(
  TransactionsProbe,
  Effect.map(Sql, (sql) =>
    TransactionsProbe.of({
      put: (key, value) => Effect.provideService(put(key, value), Sql, sql),
      get: (key) => Effect.provideService(get(key), Sql, sql)
    }))
)

transactionsLaws(
  "SQLite",
  Layer.provide(Layer.merge(TransactionsSql.layer, probe), SqlSqlite.layer({ file: ":memory:" }))
)
