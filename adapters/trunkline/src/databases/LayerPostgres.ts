import { AnalyticsOptions } from "@trunkline/analytics"
import { decodeConfiguration, roleNames } from "@trunkline/engine"
import { CohortWorker } from "@trunkline/job-threads"
import { Sealer } from "@trunkline/notifications"
import { PassageIndexSqlite, WarehouseSqlite } from "@trunkline/sqlite"
import { describeUrl, StoragePostgres } from "@trunkline/storage-postgres"
import { Effect, Layer, type Redacted } from "effect"
import { rmSync } from "node:fs"
import {
  assemble,
  logLost,
  recordingKeysOf,
  type SqliteEngineOptions,
  temporaryWarehouse,
  watchOwnership
} from "../assembly/Assemble.js"
import { openDataFolder } from "../assembly/DataFolder.js"
import { diskProbe } from "../assembly/DiskProbe.js"
import { checkSecrets, secretsFrom } from "../assembly/Secrets.js"
import { filesIn, filesPlace, InvalidFiles } from "../options/FilesOption.js"
import { sharedParts } from "./SharedParts.js"

/** Options of `layerPostgres`: those of `layerSqlite`, with a folder for warehouses and secrets only. */
export interface PostgresEngineOptions extends SqliteEngineOptions {
  /** URL of the database, such as `postgres://user:password@host:5432/name?sslmode=verify-full`. */
  readonly database: string
  /**
   * Secret that the keys of contact hashes and of sealed chat webhooks are derived from, the same for all processes of the
   * database: at least 32 random characters. By default each folder has its own keys, which a second machine needs copies of.
   */
  readonly secret?: Redacted.Redacted
  /**
   * URL of a Redis server for rate limits and for the hints between processes, such as `redis://user:password@host:6379/0`.
   * By default both are in the database.
   */
  readonly redis?: string
}

/** A folder of one machine is refused where this process works on files that others store, or the other way round. */
const sharedFilesPlace = ({ files = "postgres", roles = roleNames }: PostgresEngineOptions) =>
  Effect.gen(function*() {
    if (files === "postgres") return "database"
    const place = yield* filesPlace(files)
    const missing = fileRoles.filter((role) => !roles.includes(role))
    if ("folder" in place && missing.length > 0 && missing.length < fileRoles.length) {
      return yield* new InvalidFiles({
        reason: `must be postgres or s3://bucket/prefix, since processes with the roles ${
          missing.join(" and ")
        } need the same files`
      })
    }
    return place
  })

/** Roles that use files: uploads are stored by `api` and read by `imports`, and recordings the other way round by `dial`. */
const fileRoles = ["api", "dial", "imports"] as const

/**
 * An empty warehouse, which only checks the SQL of boards. What one of an earlier start holds is removed, so that nothing
 * stays in it that is erased from now on.
 */
const withoutWarehouse = (folder: string) =>
  Layer.merge(
    temporaryWarehouse,
    Layer.effectDiscard(Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  )

/** Stores in the database; warehouses and secrets in the folder. Large cohorts are imported in threads. */
const inDatabase = (options: PostgresEngineOptions) =>
  Effect.gen(function*() {
    const { data, database: url, lease = "30 seconds", onLost = logLost, redis, roles = roleNames, secret, speed = 1 } =
      options
    const { recordingKeys = [] } = options
    const files = yield* sharedFilesPlace(options)
    const { contactSalt, knowledge, sealKey, warehouse } = yield* openDataFolder(data, secret && secretsFrom(secret))
    const stores = Layer.provideMerge(
      Layer.mergeAll(
        watchOwnership(onLost),
        sharedParts({ database: url, redis }),
        checkSecrets({ contactSalt, sealKey }, {
          database: describeUrl(url),
          folder: secret === undefined ? data : null
        })
      ),
      Layer.provide(StoragePostgres.layer({ url, lease, speed }), diskProbe(data))
    )
    return {
      stores: Layer.provideMerge(
        CohortWorker.layer({ place: { url, files } }),
        files === "database" ? stores : Layer.provideMerge(filesIn(files), stores)
      ),
      others: Layer.mergeAll(
        roles.includes("boards") ? WarehouseSqlite.layer({ folder: warehouse }) : withoutWarehouse(warehouse),
        PassageIndexSqlite.layer({ folder: knowledge }),
        Sealer.layer(sealKey),
        recordingKeysOf(recordingKeys, sealKey),
        AnalyticsOptions.layer({ contactSalt })
      )
    }
  })

/**
 * An engine over PostgreSQL, one of the processes that share the database, with warehouses in a folder of this machine. Fails
 * as `layerSqlite` does, but with `DatabaseUnreachable`, `DatabaseRefused`, `DatabaseReadOnly`, `DatabasePooled`,
 * `DatabaseClockOff`, `DatabaseTimeShared` or `OtherSecret` when the database cannot be used.
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
