import { AnalyticsOptions } from "@trunkline/analytics"
import { decodeConfiguration } from "@trunkline/engine"
import { CohortWorker } from "@trunkline/job-threads"
import { Sealer } from "@trunkline/notifications"
import { RateLimits } from "@trunkline/rate-limits"
import { PassageIndexSqlite, slowReadsBeside, StorageSqlite, WarehouseSqlite } from "@trunkline/sqlite"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import {
  assemble,
  logLost,
  recordingKeysOf,
  type SqliteEngineOptions,
  storageInMemory,
  watchOwnership
} from "../assembly/Assemble.js"
import { openDataFolder } from "../assembly/DataFolder.js"
import { diskProbe } from "../assembly/DiskProbe.js"
import { filesIn, filesPlace, noFilesInMemory } from "../options/FilesOption.js"

/** Stores, warehouse and secrets in a folder. Large cohorts are imported in threads. */
const inFolder = (
  { data, files: fileStore, lease = "30 seconds", onLost = logLost, recordingKeys = [] }: SqliteEngineOptions
) =>
  Effect.gen(function*() {
    const files = yield* filesPlace(fileStore ?? join(data, "files"))
    const { contactSalt, database, knowledge, sealKey, warehouse } = yield* openDataFolder(data)
    const storageLayer = Layer.provideMerge(
      watchOwnership(onLost),
      Layer.provide(StorageSqlite.layer({ file: database, lease }), diskProbe(data))
    )
    const stores = Layer.provideMerge(Layer.merge(filesIn(files), RateLimits.layerMemory()), storageLayer)
    return {
      stores: Layer.provideMerge(
        CohortWorker.layer({ place: { file: database, files } }),
        Layer.provide(stores, slowReadsBeside({ file: database }))
      ),
      others: Layer.mergeAll(
        WarehouseSqlite.layer({ folder: warehouse }),
        PassageIndexSqlite.layer({ folder: knowledge }),
        Sealer.layer(sealKey),
        recordingKeysOf(recordingKeys, sealKey),
        AnalyticsOptions.layer({ contactSalt })
      )
    }
  })

/**
 * An engine over SQLite, with files, warehouses and secrets in one folder, guarded HTTP, and threads for large cohorts and
 * rehearsals: every service of an engine in one layer. Fails with `Invalid`, with an issue for each problem, when the
 * configuration is invalid; with `DataFolderInUse` when another process uses the folder; with `DataFolderUnusable`; and with `InvalidFiles`,
 * `BucketUnusable` or `S3PackageMissing` when files cannot be kept where `files` says.
 *
 * @example
 * ```ts
 * const engine = layerSqlite({
 *   data: "./data",
 *   agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true, first_message: "Hello {{name}}" }] }],
 *   connections: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }]
 * })
 * ```
 */
export const layerSqlite = (options: SqliteEngineOptions) =>
  Layer.unwrapEffect(
    Effect.zipWith(
      decodeConfiguration(options),
      options.data === ":memory:" ? Effect.as(noFilesInMemory(options), storageInMemory) : inFolder(options),
      (configuration, storage) =>
        assemble({ ...options, handsOver: options.data !== ":memory:" }, configuration, storage)
    )
  )
