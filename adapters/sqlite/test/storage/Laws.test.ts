import { transactionsLaws, TransactionsProbe } from "@trunkline/kernel/testing"
import { SqlSqlite, StorageSqlite } from "@trunkline/sqlite"
import { LimitsSql, Sql, TransactionsSql } from "@trunkline/storage-kysely"
import {
  attemptStoreSqlLaws,
  cohortStoreSqlLaws,
  dispatchSqlLaws,
  limitsLaws,
  manyRowsLaws,
  sharedLimitsLaws,
  storesLaws,
  voiceStoreSqlLaws
} from "@trunkline/storage-kysely/testing"
import BetterSqlite from "better-sqlite3"
import { Effect, Layer } from "effect"
import { SqliteDialect } from "kysely"
import { get, put, temporaryFile } from "./Files.js"

storesLaws("SQLite in memory", StorageSqlite.layer({ file: ":memory:" }))

const empty = Layer.unwrapEffect(
  Effect.sync(() => Sql.layer(new SqliteDialect({ database: new BetterSqlite(":memory:") })))
)

attemptStoreSqlLaws("SQLite", empty)
cohortStoreSqlLaws("SQLite", empty)
dispatchSqlLaws("SQLite", empty)
voiceStoreSqlLaws("SQLite", empty)

manyRowsLaws("SQLite", SqlSqlite.layer({ file: ":memory:" }))

limitsLaws("SQLite in memory", Layer.provideMerge(LimitsSql.layer, SqlSqlite.layer({ file: ":memory:" })))
sharedLimitsLaws(
  "SQLite file",
  Effect.map(
    temporaryFile,
    (file) => Layer.provide(LimitsSql.layer, SqlSqlite.layerShared({ file, create: true }))
  )
)

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

transactionsLaws(
  "SQLite, owned",
  Layer.provide(
    Layer.merge(TransactionsSql.layer, probe),
    Layer.unwrapScoped(Effect.map(temporaryFile, (file) => SqlSqlite.layer({ file })))
  )
)

transactionsLaws(
  "SQLite, shared",
  Layer.provide(
    Layer.merge(TransactionsSql.layer, probe),
    Layer.unwrapScoped(Effect.map(temporaryFile, (file) => SqlSqlite.layerShared({ file, create: true })))
  )
)
