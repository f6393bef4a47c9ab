import { HttpMiddleware } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import { app } from "@trunkline/http-api"
import { Effect, type Layer, ManagedRuntime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { type ListenerOptions, makeListener } from "./Listener.js"

/** Where a handler's API lies, and how it closes. */
export interface NodeHandlerOptions extends ListenerOptions {
  /** How long requests in flight may take once closing has begun, in milliseconds; default 30 seconds. */
  readonly closeTimeout?: number
}

/** A request listener over a running engine. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse): void
  /** Whether a request is for the API: hosts keep all others. */
  readonly handles: (request: IncomingMessage) => boolean
  /**
   * Answers requests for WebSockets: for `server.on("upgrade")`. False when the path is not the API's, and then the
   * socket is left as it is.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  /**
   * Says goodbye to WebSockets and event streams, lets other requests in flight finish, waits up to half a minute for
   * the calls going on, and stops the engine. What comes later is answered 503.
   */
  readonly close: () => Promise<void>
}

/**
 * Starts the engine and answers its routes: for `http.createServer`, or for any framework that hands on Node's
 * requests, best before it reads their bodies. Rejects when the engine does not start.
 */
export const toNodeHandler = async <E>(
  engine: Layer.Layer<Engine, E>,
  { closeTimeout = 30_000, ...options }: NodeHandlerOptions = {}
): Promise<NodeHandler> => {
  const runtime = ManagedRuntime.make(engine)
  const listener = await runtime.runPromise(
    HttpMiddleware.withTracerDisabledWhenEffect(Effect.flatMap(app, (app) => makeListener(app, options)), () => true)
  )
  let closed: Promise<void> | undefined
  const close = async () => {
    await listener.finish(closeTimeout)
    await runtime.dispose()
  }
  return Object.assign((request: IncomingMessage, response: ServerResponse) => listener.request(request, response), {
    handles: listener.handles,
    upgrade: (request: IncomingMessage, _socket: Duplex, head: Buffer) => listener.upgrade(request, head),
    close: () => closed ??= close()
  })
}
