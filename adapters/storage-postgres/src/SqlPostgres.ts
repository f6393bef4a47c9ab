import { type DatabaseTooNew, maintainOwnership, migrate, Ownership, Sql } from "@trunkline/storage-kysely"
import { Duration, Effect, Layer } from "effect"
import type { DatabaseInUse, DatabaseTimeShared, OpenError } from "./PostgresErrors.js"
import { defaultConnections, type PostgresOptions } from "./PostgresOptions.js"
import { acquireOwnership } from "./PostgresOwner.js"
import { makePool } from "./PostgresPool.js"
import { probe } from "./PostgresProbe.js"
import { holdSpeed } from "./PostgresSpeed.js"
import { machineClock, makeSql } from "./PostgresSql.js"

/** Runs an effect by the machine's clock. */
const withMachineClock = Effect.withClock(machineClock)

const openPool = ({ applicationName = "trunkline", connections = defaultConnections, url }: PostgresOptions) =>
  Effect.zipRight(probe(url, applicationName), makePool({ url, connections, applicationName }))

const migrated = (sql: typeof Sql.Service) => Effect.provideService(migrate(), Sql, sql)

/**
 * `Sql` over PostgreSQL: for tables that a program keeps in the database of the stores.
 *
 * @example
 * ```ts
 * const sql = SqlPostgres.layer({ url: "postgres://localhost/trunkline" })
 * ```
 */
export const SqlPostgres = {
  /**
   * The database at a URL, migrated to the newest version. This process owns it until the layer is closed. Once it has been
   * stopped for a whole lease, another process may take over; every later write of this one fails.
   */
  layer: (
    options: PostgresOptions
  ): Layer.Layer<Ownership | Sql, DatabaseInUse | DatabaseTimeShared | DatabaseTooNew | OpenError> =>
    Layer.unwrapScoped(Effect.gen(function*() {
      const lease = Duration.decode(options.lease ?? "30 seconds")
      const pool = yield* openPool(options)
      const owned = yield* withMachineClock(acquireOwnership({ ...options, lease }))
      yield* holdSpeed(owned.sql, { speed: options.speed ?? 1, url: options.url })
      const sql = makeSql(pool, { fence: owned.fence })
      yield* migrated(sql)
      const beats = Effect.provideService(maintainOwnership({ fence: owned.fence, lease }), Sql, owned.sql)
      return Layer.merge(Layer.scoped(Ownership, withMachineClock(beats)), Layer.succeed(Sql, sql))
    })),
  /**
   * The database at a URL, migrated to the newest version, which another process may own: for tools that work beside it, and
   * for rate limits that several processes share.
   */
  layerShared: (options: PostgresOptions): Layer.Layer<Sql, DatabaseTooNew | OpenError> =>
    Layer.scoped(
      Sql,
      Effect.gen(function*() {
        const sql = makeSql(yield* openPool(options), { fence: null })
        yield* migrated(sql)
        return sql
      })
    )
}
