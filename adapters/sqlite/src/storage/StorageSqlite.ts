import { type DatabaseTooNew, Ownership, type Stores, StoresSql } from "@trunkline/storage-kysely"
import { Layer } from "effect"
import type { DataFolderInUse } from "./FileOwner.js"
import {
  type BesideOptions,
  type DatabaseMissing,
  type DatabaseTooOld,
  type SharedOptions,
  type SqliteOptions,
  SqlSqlite
} from "./SqlSqlite.js"

const sameOwnership = Layer.effect(Ownership, Ownership)

/**
 * Every store in one SQLite file, with the transactions that span them.
 *
 * @example
 * ```ts
 * const program = Effect.flatMap(CampaignStore, (campaigns) => campaigns.open)
 * await Effect.runPromise(Effect.provide(program, StorageSqlite.layer({ file: "data/trunkline.db" })))
 * ```
 */
export const StorageSqlite = {
  /**
   * The stores for the process that owns the file. Fails with `DataFolderInUse` when another process owns it, and with
   * `DatabaseTooNew` when newer software wrote it. When `Ownership.lost` completes, another process has taken over: every
   * transaction dies with `Fenced`, and this process should exit.
   */
  layer: (options: SqliteOptions): Layer.Layer<Ownership | Stores, DatabaseTooNew | DataFolderInUse> =>
    Layer.provide(Layer.merge(StoresSql.layer, sameOwnership), SqlSqlite.layer(options)),
  /**
   * The stores for a worker thread of the owner: another connection, which does not check the version of the file. Its
   * commits become durable with the owner's next commit. Fails with `DatabaseMissing` when there is no file.
   */
  layerBeside: (options: BesideOptions): Layer.Layer<Stores, DatabaseMissing> =>
    Layer.provide(StoresSql.layer, SqlSqlite.layerBeside(options)),
  /**
   * The stores for tools, which may work beside the process that owns the file. Fails with `DatabaseMissing` when there is
   * no file and `create` is not set, and with `DatabaseTooOld` or `DatabaseTooNew` when the owner runs another version.
   */
  layerShared: (options: SharedOptions): Layer.Layer<Stores, DatabaseMissing | DatabaseTooNew | DatabaseTooOld> =>
    Layer.provide(StoresSql.layer, SqlSqlite.layerShared(options))
}
