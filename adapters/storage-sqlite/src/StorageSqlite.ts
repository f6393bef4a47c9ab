import { type DatabaseTooNew, type Stores, StoresSql } from "@trunkline/storage-kysely"
import { Layer } from "effect"
import type { DataFolderInUse } from "./Owner.js"
import { type SqliteOptions, SqlSqlite } from "./SqlSqlite.js"

/** Every store in one SQLite file, with the transactions that join them. */
export const StorageSqlite = {
  /** Fails when another process uses the file, and when newer software wrote it. */
  layer: (options: SqliteOptions): Layer.Layer<Stores, DatabaseTooNew | DataFolderInUse> =>
    Layer.provide(StoresSql.layer, SqlSqlite.layer(options))
}
