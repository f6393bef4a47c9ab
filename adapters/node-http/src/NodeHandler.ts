import { HttpMiddleware } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import type { Engine } from "@trunkline/engine"
import { app } from "@trunkline/http-api"
import { Effect, type Layer, ManagedRuntime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** A request listener over a running engine. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse): void
  /** Starts no more calls, waits up to half a minute for those going on, and stops the engine. */
  readonly close: () => Promise<void>
}

/**
 * Starts the engine and answers its routes: for `http.createServer`, or for Express with `app.use`, before any
 * middleware that reads bodies. Rejects when the engine does not start.
 */
export const toNodeHandler = async <E>(engine: Layer.Layer<Engine, E>): Promise<NodeHandler> => {
  const runtime = ManagedRuntime.make(engine)
  const makeHandler = Effect.flatMap(app, (app) => NodeHttpServer.makeHandler(app))
  const handle = await runtime.runPromise(HttpMiddleware.withTracerDisabledWhenEffect(makeHandler, () => true))
  let stopped: Promise<void> | undefined
  return Object.assign(
    (request: IncomingMessage, response: ServerResponse) => handle(request, response),
    { close: () => stopped ??= runtime.dispose() }
  )
}
