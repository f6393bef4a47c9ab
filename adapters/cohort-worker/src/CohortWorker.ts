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
import { makeSpares, type Transactions } from "@trunkline/kernel"
import { Ownership } from "@trunkline/storage-kysely"
import { Context, Data, Duration, Effect, Layer, Option } from "effect"
import { resolve } from "node:path"
import { startThread } from "./ImportThread.js"
import { settingsFor } from "./Messages.js"
import { ownEntry } from "./ThreadEntry.js"

/** What threads work with, and how many bytes are worth one. */
export interface CohortWorkerOptions {
  /** The file of the `StorageSqlite.layer` that the process owns. */
  readonly file: string
  /** The folder of the `FilesDisk.layer` that the process owns. */
  readonly folder: string
  /** Files of fewer bytes are imported in place, which is over before a thread has started; 256 kB when absent. */
  readonly threadFromBytes?: number
  /** How large the JavaScript heap of a thread may grow, in megabytes; 256 when absent. A million rows fit into 160. */
  readonly heapMegabytes?: number
  /** How long a thread waits for more work before it ends; 10 seconds when absent. */
  readonly idle?: Duration.DurationInput
}

/** The database is in the memory of one thread. `Importer.layer` imports into it. */
export class DatabaseNotShareable extends Data.TaggedError("DatabaseNotShareable") {
  override get message() {
    return "Threads cannot share a database in memory: use Importer.layer"
  }
}

/** Functions do not cross to a thread, so everything is read as it is read there. */
const asInThreads = Layer.succeed(CsvReader, { rows: csvRows })

/** Imports cohorts in worker threads, so that the event loop of the server is left to others. */
export const CohortWorker = {
  /**
   * An `Importer` with a thread for each large file, which has a connection of its own to the same SQLite file and
   * folder and shares the `Ownership` of the process, without which there is nothing to share. It keeps to the `CurrentCohortLimits` of this layer, and reads with `csvRows`.
   *
   * An interruption ends the thread, in two seconds at most, and the import can go on from where it was left. A thread
   * that breaks, for want of memory or otherwise, is a defect of its import alone.
   */
  layer: (
    { file, folder, heapMegabytes = 256, idle = "10 seconds", threadFromBytes = 262_144 }: CohortWorkerOptions
  ): Layer.Layer<Importer, DatabaseNotShareable, CohortStore | FileStore | Transactions> =>
    Layer.scoped(
      Importer,
      Effect.gen(function*() {
        const { fence } = yield* Ownership
        if (fence === null) return yield* new DatabaseNotShareable()
        const files = yield* FileStore
        const limits = yield* CurrentCohortLimits
        const inPlace = Context.get(yield* Layer.build(Layer.provide(Importer.layer, asInThreads)), Importer)
        const workerData = settingsFor({ file: resolve(file), folder: resolve(folder), fence: fence.number, limits })
        const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 48 }
        const threads = yield* makeSpares({
          start: () => startThread(ownEntry, { workerData, resourceLimits }),
          idleMillis: Duration.toMillis(idle)
        })
        const isLarge = ({ cohort_id }: ImportTask) =>
          Effect.map(files.size(fileKey(cohort_id, "cohort")), Option.exists((bytes) => bytes >= threadFromBytes))
        return Importer.of({
          run: (task) =>
            Effect.if(isLarge(task), {
              onTrue: () => threads.use((thread) => thread.run(task)),
              onFalse: () => inPlace.run(task)
            })
        })
      })
    )
}
