import type { Engine } from "@trunkline/engine"
import type { FetchHandlerOptions } from "@trunkline/fetch"
import { normalizePrefix } from "@trunkline/http-api"
import type { Layer } from "effect"
import { isIPv6 } from "node:net"
import { type BunHandlers, toBunHandlers } from "./BunHandlers.js"
import type { BunServer } from "./BunServer.js"

/** Where and how to serve. */
export interface ServeOptions extends FetchHandlerOptions {
  /** Default 8787; 0 picks a free port. */
  readonly port?: number
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string
}

/** An engine that is being served. */
export interface Serving {
  /** The base URL with the prefix, without a slash at the end. */
  readonly url: string
  /** Takes no more connections, lets requests in flight finish, drains the engine and stops it. */
  readonly close: () => Promise<void>
}

interface BunServeOptions extends Pick<BunHandlers, "fetch" | "websocket"> {
  readonly port: number
  readonly hostname: string
  /** In bytes. */
  readonly maxRequestBodySize: number
  /** Whether failures are shown to clients, with their sources. */
  readonly development: boolean
  /** Whether others may listen on the port too, which Bun takes for granted outside of development. */
  readonly reusePort: boolean
}

declare const Bun: { readonly serve: (options: BunServeOptions) => BunServer } | undefined

/**
 * Starts the engine and serves it over HTTP and WebSockets, under Bun. Rejects when the engine does not start or the port
 * is taken.
 */
export const serve = async <E>(
  engine: Layer.Layer<Engine, E>,
  { host = "127.0.0.1", port = 8787, ...options }: ServeOptions = {}
): Promise<Serving> => {
  if (typeof Bun === "undefined") throw new Error("@trunkline/bun serves under Bun only")
  const handlers = await toBunHandlers(engine, options)
  try {
    const server = Bun.serve({
      fetch: handlers.fetch,
      websocket: handlers.websocket,
      port,
      hostname: host,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      reusePort: false
    })
    return {
      url: `http://${isIPv6(host) ? `[${host}]` : host}:${server.port}${normalizePrefix(options.prefix ?? "")}`,
      close: () => handlers.close(server)
    }
  } catch (error) {
    await handlers.close()
    throw error
  }
}
