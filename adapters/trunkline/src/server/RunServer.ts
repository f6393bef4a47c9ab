import { Engine } from "@trunkline/engine"
import { reasonOf } from "@trunkline/kernel"
import { listen, nodeHandlerOf } from "@trunkline/node-http"
import { Duration, Effect, type Layer, ManagedRuntime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { drainEngine } from "../assembly/Drain.js"
import { StartError } from "./Explain.js"
import type { MetricsSettings, ServerSettings } from "./ServerSettings.js"

/** Options of `runServer`. */
interface RunOptions extends Pick<ServerSettings, "drain" | "host" | "metrics" | "pause" | "port"> {
  /** Answers requests for pages and returns true; the API answers all others. */
  readonly page?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Called when the process was told to stop. */
  readonly onStop?: () => void
}

/** A server that runs. */
interface RunningServer {
  readonly url: string
  /** Address of the metrics on a port of their own; null where they have none. */
  readonly metricsUrl: string | null
  /**
   * Stops the server: it reports that it is not ready, pauses, begins no more calls, gives those that go on their time, and
   * ends with everything flushed. While calls go on, it still answers.
   */
  readonly stop: () => Promise<void>
}

/** Metrics of a server: their page on the port of the API, and their own port. */
const openMetrics = async ({ host, port, token }: MetricsSettings, read: () => Promise<string>) => {
  if (port === null && token === null) return { page: null, server: null }
  const { makeMetricsPage } = await import("./metrics/MetricsPage.js")
  const page = makeMetricsPage(read, token)
  if (port === null) return { page, server: null }
  const { serveMetrics } = await import("./metrics/MetricsServer.js")
  const server = await serveMetrics(page, { host, port }).catch((error: unknown) => {
    throw new StartError(
      `The metrics cannot be served on ${host}, port ${port} (${
        reasonOf(error)
      }): choose another --metrics-port or --metrics-host`
    )
  })
  return { page: token === null ? null : page, server }
}

/**
 * Serves an engine over HTTP until the process is told to stop. SIGTERM and SIGINT stop it as `stop` does, and exit with 0; a
 * second signal ends the process at once.
 */
export const runServer = async <E>(
  engine: Layer.Layer<Engine, E>,
  { drain, host, metrics, onStop = () => undefined, page = () => false, pause, port }: RunOptions
): Promise<RunningServer> => {
  const managedRuntime = ManagedRuntime.make(engine)
  const starting = (async () => {
    const runtime = await managedRuntime.runtime()
    const { page: metricsPage, server } = await openMetrics(
      metrics,
      async () => managedRuntime.runPromise((await import("./metrics/MetricsReader.js")).readMetrics)
    )
    const pages = metricsPage === null ? [page] : [metricsPage, page]
    try {
      const api = await listen(nodeHandlerOf(runtime, {}), {
        host,
        port,
        page: (request, response) => pages.some((answers) => answers(request, response))
      })
      return { ...api, metricsUrl: server?.url ?? null, closeMetrics: () => server?.close() }
    } catch (error) {
      await server?.close()
      throw error
    }
  })()
  let shutdown: Promise<void> | undefined
  const finish = async () => {
    const { close, closeMetrics } = await starting
    await managedRuntime.runPromise(
      Effect.flatMap(
        Engine,
        (engine) => drainEngine(engine, { pause: Duration.millis(pause), patience: Duration.millis(drain) })
      )
    )
    await close()
    await closeMetrics()
    await managedRuntime.dispose()
  }
  const stop = () => shutdown ??= finish()
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // The next signal finds no listener, so that it ends the process.
    process.once(signal, () => {
      onStop()
      void stop().then(() => process.exit(0), () => process.exit(1))
    })
  }
  try {
    const { metricsUrl, url } = await starting
    return { url, metricsUrl, stop }
  } catch (error) {
    await managedRuntime.dispose().catch(() => undefined)
    throw error
  }
}
