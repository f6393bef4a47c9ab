import { once } from "node:events"
import { createServer } from "node:http"
import { isIPv6 } from "node:net"
import type { MetricsPage } from "./MetricsPage.js"

/** Place of a server. */
interface Place {
  readonly host: string
  /** 0 for a free one. */
  readonly port: number
}

/** A server of metrics. */
interface MetricsServer {
  /** Address of `/metrics`. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Time that a scrape may take, in milliseconds. */
const requestMillis = 30_000

/** Serves a page of metrics, and nothing else, on a port of its own. */
export const serveMetrics = async (page: MetricsPage, { host, port }: Place): Promise<MetricsServer> => {
  const server = createServer({ requestTimeout: requestMillis, headersTimeout: requestMillis }, (request, response) => {
    if (!page(request, response)) response.writeHead(404).end()
  })
  server.listen(port, host)
  await once(server, "listening")
  const address = server.address()
  const listening = address === null || typeof address === "string" ? port : address.port
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${listening}/metrics`,
    close: async () => {
      const closeEvent = once(server, "close")
      server.close()
      // A client that is slow to ask must not delay the end of the process.
      server.closeAllConnections()
      await closeEvent
    }
  }
}
