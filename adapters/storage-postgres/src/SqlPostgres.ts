import { Processes } from "@trunkline/kernel"
import { type DatabaseTooNew, joinProcesses, makeFence, migrate, Ownership, Sql } from "@trunkline/storage-kysely"
import { Duration, Effect, Layer } from "effect"
import type { DatabaseTimeShared, OpenError } from "./PostgresErrors.js"
import { defaultConnections, type PostgresBesideOptions, type PostgresOptions } from "./PostgresOptions.js"
import { makePool } from "./PostgresPool.js"
import { probe } from "./PostgresProbe.js"
import { machineClock } from "./PostgresRetries.js"
import { holdSpeed, lockSpeed } from "./PostgresSpeed.js"
import { makeSql } from "./PostgresSql.js"
import { thisProcess } from "./ThisProcess.js"

/** Runs an effect by the machine's clock. */
const withMachineClock = Effect.withClock(machineClock)

const openPool = ({ applicationName = "trunkline", connections = defaultConnections, url }: PostgresOptions) =>
  Effect.zipRight(probe(url, applicationName), makePool({ url, connections, applicationName }))

/** A connection for heartbeats alone, so that they never wait for the work of the others. */
const openHeartbeats = ({ applicationName = "trunkline", speed = 1, url }: PostgresOptions) =>
  Effect.map(
    makePool({ url, connections: 1, applicationName: `${applicationName} heartbeat`, first: lockSpeed(speed) }),
    (pool) => makeSql(pool, { fence: null })
  )

const migrateWith = (sql: typeof Sql.Service) => Effect.provideService(migrate(), Sql, sql)

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
   * The database at a URL, migrated to the newest version, for one of the processes that share it. Once this one has been
   * stopped for a whole lease, the others take over its work, and every later write of it dies with `Fenced`.
   */
  layer: (
    options: PostgresOptions
  ): Layer.Layer<Ownership | Processes | Sql, DatabaseTimeShared | DatabaseTooNew | OpenError> =>
    Layer.unwrapScoped(Effect.gen(function*() {
      const lease = Duration.decode(options.lease ?? "30 seconds")
      const pool = yield* openPool(options)
      const heartbeats = yield* openHeartbeats(options)
      yield* holdSpeed(heartbeats, { speed: options.speed ?? 1, url: options.url })
      yield* migrateWith(heartbeats)
      const { fence, ownership, processes } = yield* joinProcesses({ ...thisProcess(), lease }).pipe(
        Effect.provideService(Sql, heartbeats),
        withMachineClock
      )
      return Layer.mergeAll(
        Layer.succeed(Ownership, ownership),
        Layer.succeed(Processes, processes),
        Layer.succeed(Sql, makeSql(pool, { fence }))
      )
    })),
  /**
   * Connections beside those of this process: for its worker threads, which must not outlive its place among the others. The
   * version of the database is not checked.
   */
  layerBeside: ({ fence, ...options }: PostgresBesideOptions): Layer.Layer<Sql, OpenError> =>
    Layer.scoped(Sql, Effect.map(openPool(options), (pool) => makeSql(pool, { fence: makeFence(fence) }))),
  /**
   * The database at a URL, migrated to the newest version, for tools that work beside the processes that share it, and for
   * rate limits that several processes share.
   */
  layerShared: (options: PostgresOptions): Layer.Layer<Sql, DatabaseTooNew | OpenError> =>
    Layer.scoped(
      Sql,
      Effect.gen(function*() {
        const sql = makeSql(yield* openPool(options), { fence: null })
        yield* migrateWith(sql)
        return sql
      })
    )
}
