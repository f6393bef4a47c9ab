import type { Engine } from "@trunkline/engine"
import { type FetchHandlerOptions, toFetchHandler } from "@trunkline/fetch"
import { normalizePrefix } from "@trunkline/http-api"
import { type Layer, Option } from "effect"
import { isIPv6 } from "node:net"
import { type BunServer, type BunWebSockets, withTimeouts } from "./BunServer.js"
import { makeSockets, webSockets } from "./Sockets.js"

/** Handlers of a running engine, for the options of `Bun.serve`. */
export interface BunHandlers {
  /** For `fetch`, or for some of the `routes`. Resolves to undefined when the request has become a WebSocket. */
  readonly fetch: (request: Request, server: BunServer) => Promise<Response | undefined>
  /** For `websocket`. Ignores sockets that other handlers have opened. */
  readonly websocket: BunWebSockets
  /** True when the URL of a request is a route of the API; hosts handle all others. */
  readonly handles: (request: Pick<Request, "url">) => boolean
  /**
   * Closes WebSockets and event streams, lets other requests in flight finish, waits up to 30 seconds for calls in
   * progress, and stops the engine. A server that is passed in accepts no more connections, and is stopped at the end.
   * Later requests are answered with 503.
   */
  readonly close: (server?: Pick<BunServer, "stop">) => Promise<void>
}

/** Stops a server: lets requests in flight finish within the timeout, in milliseconds, and then cuts the rest. */
const stop = async (server: Pick<BunServer, "stop">, timeout: number) => {
  const timer = setTimeout(() => server.stop(true), timeout)
  await server.stop()
  clearTimeout(timer)
}

const isWebSocketRequest = ({ headers, method }: Request) =>
  method === "GET" && headers.get("upgrade")?.toLowerCase() === "websocket"

/**
 * Starts the engine and returns handlers for a `Bun.serve` of your own. Rejects when the engine does not start.
 *
 * @example
 * ```ts
 * const voice = await toBunHandlers(engine, { prefix: "/voice" })
 * const server = Bun.serve({ routes: { "/voice/*": voice.fetch }, websocket: voice.websocket })
 * process.once("SIGTERM", () => voice.close(server))
 * ```
 */
export const toBunHandlers = async <E>(
  engine: Layer.Layer<Engine, E>,
  options: FetchHandlerOptions = {}
): Promise<BunHandlers> => {
  const handler = await toFetchHandler(engine, options)
  const sockets = makeSockets()

  const respond = (request: Request, server: BunServer) =>
    new Promise<Response | undefined>((resolve, reject) => {
      const upgrade = isWebSocketRequest(request)
        ? Option.some(sockets.upgrade(request, server, resolve))
        : Option.none()
      const remoteAddress = server.requestIP(request)?.address
      handler(request, { upgrade, remoteAddress }).then(resolve, reject)
    })

  const close = async (server?: Pick<BunServer, "stop">) => {
    const serverStop = server && stop(server, options.closeTimeout ?? 30_000)
    sockets.close()
    await handler.close()
    await serverStop
    await server?.stop(true)
  }
  let closing: Promise<void> | undefined
  return {
    fetch: (request, server) => withTimeouts(request, server, () => respond(request, server)),
    websocket: webSockets,
    handles: handler.handles,
    close: (server) => closing ??= close(server)
  }
}

/** Options of `serve`. */
export interface ServeOptions extends FetchHandlerOptions {
  /** Port to listen on; 8787 by default, 0 for a free port. */
  readonly port?: number
  /** Host name to listen on; `127.0.0.1` by default, which only accepts connections from this machine. */
  readonly host?: string
}

/** A running server. */
export interface RunningServer {
  /** Base URL with the prefix, without a trailing slash. */
  readonly url: string
  /** Stops accepting connections, lets requests in flight finish, drains the engine and stops it. */
  readonly close: () => Promise<void>
}

/** The options of `Bun.serve` that are used here. */
interface BunServeOptions extends Pick<BunHandlers, "fetch" | "websocket"> {
  readonly port: number
  readonly hostname: string
  /** In bytes. */
  readonly maxRequestBodySize: number
  /** Shows failures and their source code to clients. */
  readonly development: boolean
  /** Allows other processes to listen on the same port, which is Bun's default outside of development. */
  readonly reusePort: boolean
}

declare const Bun: { readonly serve: (options: BunServeOptions) => BunServer } | undefined

/**
 * Starts the engine and serves it over HTTP and WebSockets, under Bun. Rejects when the engine does not start or the port
 * is in use.
 *
 * @example
 * ```ts
 * const { close, url } = await serve(engine, { port: 8787, prefix: "/voice" })
 * ```
 */
export const serve = async <E>(
  engine: Layer.Layer<Engine, E>,
  { host = "127.0.0.1", port = 8787, ...options }: ServeOptions = {}
): Promise<RunningServer> => {
  if (typeof Bun === "undefined") {
    throw new Error("@trunkline/bun only runs under Bun; use @trunkline/node-http on Node")
  }
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
