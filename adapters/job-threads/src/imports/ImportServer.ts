import { type CohortResult, CurrentCohortLimits, type FileStore, Importer, type ImportFailed } from "@trunkline/cohorts"
import { FilesDisk } from "@trunkline/files-disk"
import type { Stores } from "@trunkline/storage-kysely"
import { Effect, Fiber, Layer, Logger, ManagedRuntime } from "effect"
import type { MessagePort } from "node:worker_threads"
import type { ImportFiles } from "./ImportPlace.js"
import { decodeRequest, decodeSettings, encodeOutcome } from "./ImportThread.js"

type Settings = ReturnType<typeof decodeSettings>

/** Connections to a PostgreSQL database: one to write, and one to read the file beside. */
const connections = 2

const filesIn = async (files: ImportFiles): Promise<Layer.Layer<FileStore, Error>> => {
  if ("folder" in files) return FilesDisk.layerShared(files.folder)
  const { FilesS3 } = await import("@trunkline/files-s3")
  return FilesS3.layer({ url: files.s3 })
}

/** The stores and the files. Only the adapters of their place are loaded. */
const storesIn = async ({ fence, place }: Settings): Promise<Layer.Layer<FileStore | Stores, Error>> => {
  if ("file" in place) {
    const { StorageSqlite } = await import("@trunkline/sqlite")
    return Layer.merge(StorageSqlite.layerBeside({ file: place.file, fence }), await filesIn(place.files))
  }
  const { StoragePostgres } = await import("@trunkline/storage-postgres")
  const options = { url: place.url, fence, connections, applicationName: "trunkline import" }
  const stores = StoragePostgres.layerBeside(options)
  return place.files === "database" ? stores : Layer.provideMerge(await filesIn(place.files), stores)
}

const importerLayer = (settings: Settings): Layer.Layer<Importer> =>
  Importer.layer.pipe(
    Layer.provide(Layer.mergeAll(
      Layer.unwrapEffect(Effect.promise(() => storesIn(settings))),
      Layer.succeed(CurrentCohortLimits, settings.limits),
      Logger.remove(Logger.defaultLogger)
    )),
    Layer.orDie
  )

/** Imports the cohorts that are requested over a port, in a thread, until it is asked to end. Nothing is logged. */
export const serveImports = (port: MessagePort, settings: unknown): void => {
  const runtime = ManagedRuntime.make(importerLayer(decodeSettings(settings)))
  let running: Fiber.RuntimeFiber<CohortResult, ImportFailed> | null = null

  const end = async () => {
    if (running !== null) await Effect.runPromise(Fiber.interrupt(running))
    await runtime.dispose()
    port.close()
  }

  port.on("message", (message) => {
    const request = decodeRequest(message)
    if (request._tag === "End") return void end()
    running = runtime.runFork(Effect.flatMap(Importer, (importer) => importer.run(request)))
    running.addObserver((exit) => port.postMessage(encodeOutcome(exit)))
  })
}
