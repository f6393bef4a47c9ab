import { AnalyticsOptions } from "@trunkline/analytics"
import { Importer } from "@trunkline/cohorts"
import { decodeConfiguration } from "@trunkline/engine"
import { FilesDisk } from "@trunkline/files-disk"
import { Sealer } from "@trunkline/notifications"
import { BusPostgres, describeUrl, StoragePostgres } from "@trunkline/storage-postgres"
import { WarehouseSqlite } from "@trunkline/warehouse-sqlite"
import { Effect, Layer, type Redacted } from "effect"
import { openDataFolder } from "../sqlite/DataFolder.js"
import { assemble, logLost, type SqliteEngineOptions, watchOwnership } from "../sqlite/LayerSqlite.js"
import { checkSecrets, secretsFrom } from "./Secrets.js"

/** Options of `layerPostgres`: those of `layerSqlite`, with a folder for files, warehouses and secrets only. */
export interface PostgresEngineOptions extends SqliteEngineOptions {
  /** URL of the database, such as `postgres://user:password@host:5432/name?sslmode=verify-full`. */
  readonly database: string
  /**
   * Secret that the keys of contact hashes and of sealed chat webhooks are derived from, the same for all processes of the
   * database: at least 32 random characters. By default each folder has its own keys, which a second machine needs copies of.
   */
  readonly secret?: Redacted.Redacted
}

/** Stores in the database; files, warehouses and secrets in the folder. */
const inDatabase = (
  { data, database: url, lease = "30 seconds", onLost = logLost, secret, speed = 1 }: PostgresEngineOptions
) =>
  Effect.map(openDataFolder(data, secret && secretsFrom(secret)), ({ contactSalt, files, sealKey, warehouse }) => ({
    stores: Layer.provideMerge(
      Importer.layer,
      Layer.provideMerge(
        FilesDisk.layer(files),
        Layer.provideMerge(
          Layer.mergeAll(
            watchOwnership(onLost),
            BusPostgres.layer({ url }),
            checkSecrets({ contactSalt, sealKey }, {
              database: describeUrl(url),
              folder: secret === undefined ? data : null
            })
          ),
          StoragePostgres.layer({ url, lease, speed })
        )
      )
    ),
    others: Layer.mergeAll(
      WarehouseSqlite.layer({ folder: warehouse }),
      Sealer.layer(sealKey),
      AnalyticsOptions.layer({ contactSalt })
    )
  }))

/**
 * An engine over PostgreSQL, for one process at a time, with files, warehouses and secrets in a folder of this machine. Fails
 * as `layerSqlite` does, but with `DatabaseInUse` when another process uses the database, and with `DatabaseUnreachable`,
 * `DatabaseRefused`, `DatabaseReadOnly`, `DatabasePooled`, `DatabaseClockOff`, `DatabaseTimeShared` or `OtherSecret` when it
 * cannot be used.
 *
 * @example
 * ```ts
 * const engine = layerPostgres({ database: "postgres://localhost/trunkline", data: "./data", agents: [], connections: [] })
 * ```
 */
export const layerPostgres = (options: PostgresEngineOptions) =>
  Layer.unwrapEffect(
    Effect.zipWith(
      decodeConfiguration(options),
      inDatabase(options),
      (configuration, storage) => assemble(options, configuration, storage)
    )
  )
