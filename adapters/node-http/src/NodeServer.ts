import type { Engine } from "@trunkline/engine"
import { app, type BodyPace, normalizePrefix } from "@trunkline/http-api"
import { Effect, type Layer, ManagedRuntime, Runtime } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { isIPv6 } from "node:net"
import type { Duplex } from "node:stream"
import { type ListenerOptions, makeListener } from "./Listener.js"
import { retryWithoutUpgrade } from "./Upgrade.js"

/** Options of `toNodeHandler`. */
export interface NodeHandlerOptions extends ListenerOptions {
  /** Time that requests in flight may take after `close()` was called, in milliseconds; 30 seconds by default. */
  readonly closeTimeout?: number
}

/** Request listener of a running engine, for `node:http` and frameworks based on it. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse): void
  /** True when the URL of a request is a route of the API; hosts handle all others. */
  readonly handles: (request: IncomingMessage) => boolean
  /**
   * Handles WebSocket requests, for `server.on("upgrade")`. Returns false and leaves the socket untouched when the path is
   * not a route of the API.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  /**
   * Closes WebSockets and event streams, lets other requests in flight finish, waits up to 30 seconds for calls in
   * progress, and stops the engine. Later requests are answered with 503.
   */
  readonly close: () => Promise<void>
}

const closedOnce = (close: () => Promise<void>): () => Promise<void> => {
  let closing: Promise<void> | undefined
  return () => closing ??= close()
}

/**
 * Returns a request listener of an engine that is already running. Its `close` lets requests in flight finish, and leaves
 * the engine running.
 */
export const nodeHandlerOf = (
  runtime: Runtime.Runtime<Engine>,
  { closeTimeout = 30_000, ...options }: NodeHandlerOptions = {}
): NodeHandler => {
  const listener = Runtime.runSync(runtime)(Effect.flatMap(app, (app) => makeListener(app, options)))
  return Object.assign((request: IncomingMessage, response: ServerResponse) => listener.request(request, response), {
    handles: listener.handles,
    upgrade: (request: IncomingMessage, _socket: Duplex, head: Buffer) => listener.upgrade(request, head),
    close: closedOnce(() => listener.finish(closeTimeout))
  })
}

/**
 * Starts the engine and returns a request listener for `http.createServer`, or for any framework that passes on Node's
 * requests, preferably before it reads their bodies. Rejects when the engine does not start.
 *
 * @example
 * ```ts
 * const voice = await toNodeHandler(engine, { prefix: "/voice" })
 * const server = createServer(voice)
 * server.on("upgrade", (request, socket, head) => {
 *   if (!voice.upgrade(request, socket, head)) socket.destroy()
 * })
 * ```
 */
export const toNodeHandler = async <E>(
  engine: Layer.Layer<Engine, E>,
  options: NodeHandlerOptions = {}
): Promise<NodeHandler> => {
  const engineRuntime = ManagedRuntime.make(engine)
  const handler = nodeHandlerOf(await engineRuntime.runtime(), options)
  const close = async () => {
    await handler.close()
    await engineRuntime.dispose()
  }
  return Object.assign((request: IncomingMessage, response: ServerResponse) => handler(request, response), {
    handles: handler.handles,
    upgrade: handler.upgrade,
    close: closedOnce(close)
  })
}

/** Options of `serve`. */
export interface ServeOptions {
  /** Port to listen on; 8787 by default, 0 for a free port. */
  readonly port?: number
  /** Host name to listen on; `127.0.0.1` by default, which only accepts connections from this machine. */
  readonly host?: string
  /** Path prefix of the API, such as `/voice`; none by default. */
  readonly prefix?: string
  /** Time that requests in flight may take after `close()` was called, in milliseconds; 30 seconds by default. */
  readonly closeTimeout?: number
  /** Lowest pace of the body of a request; no pause of 30 seconds, and 500 bytes a second, by default. */
  readonly bodyPace?: BodyPace
  /** Answers requests for pages of the host and returns true; the API answers all others. None by default. */
  readonly page?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** A running server. */
export interface RunningServer {
  /** Base URL with the prefix, without a trailing slash. */
  readonly url: string
  /** Stops accepting connections, lets requests in flight finish, drains the engine and stops it. */
  readonly close: () => Promise<void>
}

/** Timeouts in milliseconds. Ten minutes for a request allow the upload of a 100 MB file. */
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

/**
 * Starts the engine and serves it over HTTP and WebSockets. Rejects when the engine does not start or the port is in use.
 *
 * @example
 * ```ts
 * const { close, url } = await serve(engine, { port: 8787, prefix: "/voice" })
 * process.once("SIGTERM", close)
 * ```
 */
export const serve = async <E>(engine: Layer.Layer<Engine, E>, options: ServeOptions = {}): Promise<RunningServer> =>
  listen(await toNodeHandler(engine, options), options)

/**
 * Serves a request listener over HTTP and WebSockets. Closes it, and rejects, when the port is in use.
 *
 * @param options - Address to listen on, the prefix of `url`, and the page.
 */
export const listen = async (
  handler: NodeHandler,
  { host = "127.0.0.1", page = () => false, port = 8787, prefix = "" }: ServeOptions = {}
): Promise<RunningServer> => {
  const server = createServer(timeouts, (request, response) => {
    if (!page(request, response)) handler(request, response)
  })
  server.on("upgrade", (request, socket, head) => {
    if (!handler.upgrade(request, socket, head)) retryWithoutUpgrade(request, head)
  })
  try {
    server.listen(port, host)
    await once(server, "listening")
  } catch (error) {
    await handler.close()
    throw error
  }
  const close = async () => {
    const closing = once(server, "close")
    server.close()
    await handler.close()
    server.closeAllConnections()
    await closing
  }
  return { url: `${urlOf(server, host, port)}${normalizePrefix(prefix)}`, close: closedOnce(close) }
}
