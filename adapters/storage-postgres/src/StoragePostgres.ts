import type { FileStore } from "@trunkline/cohorts"
import { type DatabaseTooNew, Ownership, type Stores, StoresSql } from "@trunkline/storage-kysely"
import { Layer } from "effect"
import { FilesPostgres } from "./FilesPostgres.js"
import type { DatabaseInUse, OpenError } from "./PostgresErrors.js"
import type { PostgresBesideOptions, PostgresOptions } from "./PostgresOptions.js"
import { SqlPostgres } from "./SqlPostgres.js"

const sameOwnership = Layer.effect(Ownership, Ownership)

/**
 * Every store in one PostgreSQL database, with the transactions that span them.
 *
 * @example
 * ```ts
 * const program = Effect.flatMap(CampaignStore, (campaigns) => campaigns.open)
 * await Effect.runPromise(Effect.provide(program, StoragePostgres.layer({ url: "postgres://localhost/trunkline" })))
 * ```
 */
export const StoragePostgres = {
  /**
   * The stores for the process that owns the database, with a `FileStore`. Fails with `DatabaseInUse` when another process owns it, with
   * `DatabaseTooNew` when newer software wrote it, and with `DatabaseUnreachable`, `DatabaseRefused` or `DatabaseReadOnly`
   * when it cannot be opened. When `Ownership.lost` completes, another process has taken over: every write dies with
   * `Fenced`, and this process should exit.
   */
  layer: (
    options: PostgresOptions
  ): Layer.Layer<FileStore | Ownership | Stores, DatabaseInUse | DatabaseTooNew | OpenError> =>
    Layer.provide(Layer.mergeAll(StoresSql.layer, FilesPostgres.layer, sameOwnership), SqlPostgres.layer(options)),
  /** The stores for a worker thread of the owner, with a `FileStore`, over connections of its own. */
  layerBeside: (options: PostgresBesideOptions): Layer.Layer<FileStore | Stores, OpenError> =>
    Layer.provide(Layer.merge(StoresSql.layer, FilesPostgres.layerShared), SqlPostgres.layerBeside(options)),
  /** The stores for tools, which may work beside the process that owns the database. */
  layerShared: (options: PostgresOptions): Layer.Layer<Stores, DatabaseTooNew | OpenError> =>
    Layer.provide(StoresSql.layer, SqlPostgres.layerShared(options))
}
