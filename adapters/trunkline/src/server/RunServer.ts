import { Engine } from "@trunkline/engine"
import { listen, nodeHandlerOf } from "@trunkline/node-http"
import { Duration, Effect, type Layer, ManagedRuntime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { drainEngine } from "../assembly/Drain.js"
import type { ServerSettings } from "./ServerSettings.js"

/** Options of `runServer`. */
interface RunOptions extends Pick<ServerSettings, "drain" | "host" | "pause" | "port"> {
  /** Answers requests for pages and returns true; the API answers all others. */
  readonly page?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Called when the process was told to stop. */
  readonly onStop?: () => void
}

/** A server that runs. */
interface RunningServer {
  readonly url: string
  /**
   * Stops the server: it reports that it is not ready, pauses, begins no more calls, gives those that go on their time, and
   * ends with everything flushed. While calls go on, it still answers.
   */
  readonly stop: () => Promise<void>
}

/**
 * Serves an engine over HTTP until the process is told to stop. SIGTERM and SIGINT stop it as `stop` does, and exit with 0; a
 * second signal ends the process at once.
 */
export const runServer = async <E>(
  engine: Layer.Layer<Engine, E>,
  { drain, host, onStop = () => undefined, page, pause, port }: RunOptions
): Promise<RunningServer> => {
  const managed = ManagedRuntime.make(engine)
  const starting = (async () => {
    const runtime = await managed.runtime()
    return listen(nodeHandlerOf(runtime, {}), { host, port, ...(page !== undefined && { page }) })
  })()
  let stopped: Promise<void> | undefined
  const finish = async () => {
    const { close } = await starting
    await managed.runPromise(
      Effect.flatMap(
        Engine,
        (engine) => drainEngine(engine, { pause: Duration.millis(pause), patience: Duration.millis(drain) })
      )
    )
    await close()
    await managed.dispose()
  }
  const stop = () => stopped ??= finish()
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // The next signal finds no listener, so that it ends the process.
    process.once(signal, () => {
      onStop()
      void stop().then(() => process.exit(0), () => process.exit(1))
    })
  }
  try {
    const { url } = await starting
    return { url, stop }
  } catch (error) {
    await managed.dispose().catch(() => undefined)
    throw error
  }
}
