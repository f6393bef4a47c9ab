import type { Engine } from "@trunkline/engine"
import { normalizePrefix } from "@trunkline/http-api"
import type { Layer } from "effect"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { isIPv6 } from "node:net"
import { toNodeHandler } from "./NodeHandler.js"
import { readmit } from "./Readmit.js"

/** Where and how to serve. */
export interface ServeOptions {
  /** Default 8787; 0 picks a free port. */
  readonly port?: number
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string
  /** The path prefix that the API lies under, such as `/voice`; default none. */
  readonly prefix?: string
  /** How long requests in flight may take once closing has begun, in milliseconds; default 30 seconds. */
  readonly closeTimeout?: number
}

/** An engine that is being served. */
export interface Serving {
  /** The base URL with the prefix, without a slash at the end. */
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

/** Starts the engine and serves it over HTTP. Rejects when the engine does not start or the port is taken. */
export const serve = async <E>(
  engine: Layer.Layer<Engine, E>,
  { closeTimeout = 30_000, host = "127.0.0.1", port = 8787, prefix = "" }: ServeOptions = {}
): Promise<Serving> => {
  const handler = await toNodeHandler(engine, { closeTimeout, prefix })
  const server = createServer(timeouts, handler)
  server.on("upgrade", (request, socket, head) => {
    if (!handler.upgrade(request, socket, head)) readmit(request, head)
  })
  try {
    server.listen(port, host)
    await once(server, "listening")
  } catch (error) {
    await handler.close()
    throw error
  }
  const close = async () => {
    const closed = once(server, "close")
    server.close()
    await handler.close()
    server.closeAllConnections()
    await closed
  }
  let closed: Promise<void> | undefined
  return { url: `${urlOf(server, host, port)}${normalizePrefix(prefix)}`, close: () => closed ??= close() }
}
