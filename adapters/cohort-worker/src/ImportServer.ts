import { type CohortResult, CurrentCohortLimits, Importer, type ImportFailed } from "@trunkline/cohorts"
import { FilesDisk } from "@trunkline/files-disk"
import { StorageSqlite } from "@trunkline/storage-sqlite"
import { Effect, Fiber, Layer, Logger, ManagedRuntime } from "effect"
import type { MessagePort } from "node:worker_threads"
import { decodeRequest, decodeSettings, encodeOutcome } from "./ImportThread.js"

const importerLayer = (
  { fence, file, folder, limits }: ReturnType<typeof decodeSettings>
): Layer.Layer<Importer> =>
  Importer.layer.pipe(
    Layer.provide(Layer.mergeAll(
      StorageSqlite.layerBeside({ file, fence }),
      FilesDisk.layerShared(folder),
      Layer.succeed(CurrentCohortLimits, limits),
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
