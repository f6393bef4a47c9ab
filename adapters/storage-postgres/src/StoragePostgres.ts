import { type DatabaseTooNew, Ownership, type Stores, StoresSql } from "@trunkline/storage-kysely"
import { Layer } from "effect"
import type { DatabaseInUse, DatabaseTimeShared, OpenError } from "./PostgresErrors.js"
import type { PostgresOptions } from "./PostgresOptions.js"
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
   * The stores for the process that owns the database. Fails with `DatabaseInUse` when another process owns it, with
   * `DatabaseTooNew` when newer software wrote it, with `DatabaseTimeShared` when time is accelerated while several use it, and
   * with `DatabaseUnreachable`, `DatabaseRefused`, `DatabaseReadOnly`, `DatabasePooled` or `DatabaseClockOff` when it cannot be
   * opened or used. When `Ownership.lost` completes, another process has taken over: every write dies with
   * `Fenced`, and this process should exit.
   */
  layer: (
    options: PostgresOptions
  ): Layer.Layer<Ownership | Stores, DatabaseInUse | DatabaseTimeShared | DatabaseTooNew | OpenError> =>
    Layer.provide(Layer.merge(StoresSql.layer, sameOwnership), SqlPostgres.layer(options)),
  /** The stores for tools, which may work beside the process that owns the database. */
  layerShared: (options: PostgresOptions): Layer.Layer<Stores, DatabaseTooNew | OpenError> =>
    Layer.provide(StoresSql.layer, SqlPostgres.layerShared(options))
}
