import {
  type CohortStore,
  CsvReader,
  csvRows,
  CurrentCohortLimits,
  fileKey,
  FileStore,
  Importer,
  type ImportTask
} from "@trunkline/cohorts"
import type { Transactions } from "@trunkline/kernel"
import { Ownership } from "@trunkline/storage-kysely"
import { makeWorkerPool } from "@trunkline/workers"
import { Context, Data, Duration, Effect, Layer, Option } from "effect"
import { resolve } from "node:path"
import { importsEntry } from "../Threads.js"
import type { ImportFiles, ImportPlace } from "./ImportPlace.js"
import { encodeSettings, importIn, startImportThread } from "./ImportThread.js"

/** Files that threads work with, and limits of the threads. */
export interface CohortWorkerOptions {
  /**
   * Place of the stores and the files of this process: `file` of its `StorageSqlite.layer`, or `url` of its
   * `StoragePostgres.layer`; and `files`, which is the `folder` of its `FilesDisk.layer`, the URL `s3` of its
   * `FilesS3.layer` with credentials from the environment, or `"database"` for those in PostgreSQL.
   */
  readonly place: ImportPlace
  /** Size from which a file is imported in a thread; 256 kB by default. A smaller one is done before a thread starts. */
  readonly threadFromBytes?: number
  /** Limit of the JavaScript heap of a thread, in megabytes; 256 by default. A million rows need 160. */
  readonly heapMegabytes?: number
  /** Time that an idle thread waits for more work before it ends; 10 seconds by default. */
  readonly idle?: Duration.DurationInput
}

/** Error of a layer whose database is in memory, where other threads cannot open it. */
export class DatabaseNotShareable extends Data.TaggedError("DatabaseNotShareable") {
  override get message() {
    return "Threads cannot share a database in memory: use Importer.layer"
  }
}

/** Reader of imports in this thread: the one of the worker threads, as functions cannot be sent to those. */
const csvReader = Layer.succeed(CsvReader, { rows: csvRows })

const absoluteFiles = (files: ImportFiles): ImportFiles => "folder" in files ? { folder: resolve(files.folder) } : files

/** A place whose paths do not depend on the working directory. */
const absolute = (place: ImportPlace): ImportPlace => {
  if ("file" in place) return { file: resolve(place.file), files: absoluteFiles(place.files) }
  return { url: place.url, files: place.files === "database" ? "database" : absoluteFiles(place.files) }
}

/** Imports cohorts in worker threads, so that the event loop of the server stays free. */
export const CohortWorker = {
  /**
   * An `Importer` with a thread for each large file. The thread has its own connections to the database and the
   * files, and acts under the `Ownership` of this process. Imports keep to the `CurrentCohortLimits` of this layer, and read with
   * `csvRows`.
   *
   * An interruption ends the thread within two seconds; the import can be resumed later. A thread that crashes, for want
   * of memory or otherwise, is a defect of its import alone.
   *
   * @example
   * const importer = CohortWorker.layer({ place: { file: "trunkline.db", files: { folder: "files" } } })
   */
  layer: (
    { heapMegabytes = 256, idle = "10 seconds", place, threadFromBytes = 262_144 }: CohortWorkerOptions
  ): Layer.Layer<Importer, DatabaseNotShareable, CohortStore | FileStore | Transactions> =>
    Layer.scoped(
      Importer,
      Effect.gen(function*() {
        const { fence } = yield* Ownership
        if (fence === null) return yield* new DatabaseNotShareable()
        const files = yield* FileStore
        const limits = yield* CurrentCohortLimits
        const inPlace = Context.get(yield* Layer.build(Layer.provide(Importer.layer, csvReader)), Importer)
        const workerData = encodeSettings({ place: absolute(place), fence: fence.number, limits })
        const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 48 }
        const pool = yield* makeWorkerPool({
          start: () => startImportThread(importsEntry, { workerData, resourceLimits }),
          idleMillis: Duration.toMillis(idle)
        })
        const isLarge = ({ cohort_id }: ImportTask) =>
          Effect.map(files.size(fileKey(cohort_id, "cohort")), Option.exists((bytes) => bytes >= threadFromBytes))
        return Importer.of({
          run: (task) =>
            Effect.if(isLarge(task), {
              onTrue: () => Effect.flatten(pool.use((thread) => importIn(thread, task))),
              onFalse: () => inPlace.run(task)
            })
        })
      })
    )
}
