import type { FileStore } from "@trunkline/cohorts"
import { Processes } from "@trunkline/kernel"
import {
  type DatabaseTooNew,
  LimitsSql,
  type LimitStores,
  Ownership,
  type Stores,
  StoresSql
} from "@trunkline/storage-kysely"
import { Layer } from "effect"
import { FilesPostgres } from "./FilesPostgres.js"
import type { DatabaseTimeShared, OpenError } from "./PostgresErrors.js"
import type { PostgresBesideOptions, PostgresOptions } from "./PostgresOptions.js"
import { SqlPostgres } from "./SqlPostgres.js"

const sameProcess = Layer.merge(Layer.effect(Ownership, Ownership), Layer.effect(Processes, Processes))

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
   * The stores for one of the processes that share the database, with a `FileStore` and those of rate limits. Fails with `DatabaseTooNew` when newer
   * software wrote it, with `DatabaseTimeShared` when time is accelerated while several use it, and with `DatabaseUnreachable`,
   * `DatabaseRefused`, `DatabaseReadOnly`, `DatabasePooled` or `DatabaseClockOff` when it cannot be opened or used. When
   * `Ownership.lost` completes, the others have taken over the work of this process: every write dies with `Fenced`, and it
   * should exit.
   */
  layer: (
    options: PostgresOptions
  ): Layer.Layer<
    FileStore | LimitStores | Ownership | Processes | Stores,
    DatabaseTimeShared | DatabaseTooNew | OpenError
  > =>
    Layer.provide(
      Layer.mergeAll(StoresSql.layer, LimitsSql.layer, FilesPostgres.layer, sameProcess),
      SqlPostgres.layer(options)
    ),
  /** The stores for a worker thread of such a process, with a `FileStore`, over connections of its own. */
  layerBeside: (options: PostgresBesideOptions): Layer.Layer<FileStore | Stores, OpenError> =>
    Layer.provide(Layer.merge(StoresSql.layer, FilesPostgres.layerShared), SqlPostgres.layerBeside(options)),
  /** The stores for tools, which may work beside those processes. */
  layerShared: (options: PostgresOptions): Layer.Layer<Stores, DatabaseTooNew | OpenError> =>
    Layer.provide(StoresSql.layer, SqlPostgres.layerShared(options))
}
