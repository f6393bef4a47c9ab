import { Processes } from "@trunkline/kernel"
import { type DatabaseTooNew, Ownership, type Stores, StoresSql } from "@trunkline/storage-kysely"
import { Layer } from "effect"
import type { OpenError } from "./PostgresErrors.js"
import type { PostgresOptions } from "./PostgresOptions.js"
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
   * The stores for one of the processes that share the database. Fails with `DatabaseTooNew` when newer software wrote it,
   * and with `DatabaseUnreachable`, `DatabaseRefused` or `DatabaseReadOnly` when it cannot be opened. When `Ownership.lost`
   * completes, the others have taken over the work of this process: every write dies with `Fenced`, and it should exit.
   */
  layer: (options: PostgresOptions): Layer.Layer<Ownership | Processes | Stores, DatabaseTooNew | OpenError> =>
    Layer.provide(Layer.merge(StoresSql.layer, sameProcess), SqlPostgres.layer(options)),
  /** The stores for tools, which may work beside those processes. */
  layerShared: (options: PostgresOptions): Layer.Layer<Stores, DatabaseTooNew | OpenError> =>
    Layer.provide(StoresSql.layer, SqlPostgres.layerShared(options))
}
