import { type DatabaseTooNew, Ownership, type Stores, StoresSql } from "@trunkline/storage-kysely"
import { Layer } from "effect"
import type { BesideOptions } from "./BesideSql.js"
import type { DatabaseMissing } from "./DatabaseMissing.js"
import type { SqliteOptions } from "./OwnedSql.js"
import type { DataFolderInUse } from "./Owner.js"
import type { DatabaseTooOld, SharedOptions } from "./SharedSql.js"
import { SqlSqlite } from "./SqlSqlite.js"

const sameOwnership = Layer.effect(Ownership, Ownership)

/** Every store in one SQLite file, with the transactions that join them. */
export const StorageSqlite = {
  /**
   * Fails when another process uses the file, and when newer software wrote it. Once `Ownership.lost` completes, another
   * process has taken over: every transaction dies with `Fenced` then, and this process has to end.
   */
  layer: (options: SqliteOptions): Layer.Layer<Ownership | Stores, DatabaseTooNew | DataFolderInUse> =>
    Layer.provide(Layer.merge(StoresSql.layer, sameOwnership), SqlSqlite.layer(options)),
  /**
   * For a worker thread of the process that owns the file: one more connection, without another look at its version.
   * What it commits is durable with the owner's next commit only; fails when there is no file.
   */
  layerBeside: (options: BesideOptions): Layer.Layer<Stores, DatabaseMissing> =>
    Layer.provide(StoresSql.layer, SqlSqlite.layerBeside(options)),
  /**
   * For tools: works beside the process that owns the file too. Fails when there is no file and it may not be made, and
   * when the owner's software is of another version.
   */
  layerShared: (options: SharedOptions): Layer.Layer<Stores, DatabaseMissing | DatabaseTooNew | DatabaseTooOld> =>
    Layer.provide(StoresSql.layer, SqlSqlite.layerShared(options))
}
