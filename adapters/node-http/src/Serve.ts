import type { Engine } from "@trunkline/engine"
import type { Layer } from "effect"
import { once } from "node:events"
import { createServer, type Server, type ServerResponse } from "node:http"
import { isIPv6 } from "node:net"
import { toNodeHandler } from "./NodeHandler.js"

/** Where and how to serve. */
export interface ServeOptions {
  /** Default 8787; 0 picks a free port. */
  readonly port?: number
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string
  /** How long requests in flight may take once closing has begun, in milliseconds; default 30 seconds. */
  readonly closeTimeout?: number
}

/** An engine that is being served. */
export interface Serving {
  /** The base URL, without a slash at the end. */
  readonly url: string
  /** Takes no more connections, lets requests in flight finish, drains the engine and stops it. */
  readonly close: () => Promise<void>
}

/** How long clients may take, in milliseconds. A body may be 100 MB, for which ten minutes are allowed (decisions 12). */
const timeouts = {
  headersTimeout: 15_000,
  requestTimeout: 600_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000
}

const urlOf = (server: Server, host: string, port: number) => {
  const address = server.address()
  const bound = typeof address === "object" && address !== null ? address.port : port
  return `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`
}

/** Tells every client that this is its connection's last answer, and waits until the connections are gone. */
const closeServer = async (server: Server, inFlight: ReadonlySet<ServerResponse>, timeout: number) => {
  for (const response of inFlight) {
    response.shouldKeepAlive = false
  }
  const closed = once(server, "close")
  server.close()
  const cut = setTimeout(() => server.closeAllConnections(), timeout)
  await closed
  clearTimeout(cut)
}

/** Starts the engine and serves it over HTTP. Rejects when the engine does not start or the port is taken. */
export const serve = async <E>(
  engine: Layer.Layer<Engine, E>,
  { closeTimeout = 30_000, host = "127.0.0.1", port = 8787 }: ServeOptions = {}
): Promise<Serving> => {
  const handler = await toNodeHandler(engine)
  const inFlight = new Set<ServerResponse>()
  const server = createServer(timeouts, (request, response) => {
    inFlight.add(response)
    response.once("close", () => {
      inFlight.delete(response)
      if (!server.listening) setImmediate(() => server.closeIdleConnections())
    })
    response.shouldKeepAlive &&= server.listening
    handler(request, response)
  })
  try {
    server.listen(port, host)
    await once(server, "listening")
  } catch (error) {
    await handler.close()
    throw error
  }
  let closed: Promise<void> | undefined
  return {
    url: urlOf(server, host, port),
    close: () => closed ??= closeServer(server, inFlight, closeTimeout).then(handler.close)
  }
}
