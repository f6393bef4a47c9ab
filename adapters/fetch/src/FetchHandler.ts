import { HttpMiddleware } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import { app } from "@trunkline/http-api"
import { Effect, type Layer, ManagedRuntime } from "effect"
import { type FetchServices, makeResponder } from "./Responder.js"

/** Where a handler's API lies, and how it closes. */
export interface FetchHandlerOptions {
  /** The path prefix that the API lies under, such as `/voice`; default none. */
  readonly prefix?: string
  /** How long requests in flight may take once closing has begun, in milliseconds; default 30 seconds. */
  readonly closeTimeout?: number
}

/** A fetch handler over a running engine. */
export interface FetchHandler {
  (request: Request, services?: FetchServices): Promise<Response>
  /** Whether a request is for the API: hosts keep all others. */
  readonly handles: (request: Pick<Request, "url">) => boolean
  /**
   * Ends event streams, lets other requests in flight finish, waits up to half a minute for the calls going on, and
   * stops the engine. What comes later is answered 503.
   */
  readonly close: () => Promise<void>
}

/** Starts the engine and answers its routes, for any host that speaks fetch. Rejects when the engine does not start. */
export const toFetchHandler = async <E>(
  engine: Layer.Layer<Engine, E>,
  { closeTimeout = 30_000, prefix }: FetchHandlerOptions = {}
): Promise<FetchHandler> => {
  const runtime = ManagedRuntime.make(engine)
  const { finish, handles, respond } = await runtime.runPromise(
    HttpMiddleware.withTracerDisabledWhenEffect(Effect.flatMap(app, (app) => makeResponder(app, prefix)), () => true)
  )
  let closed: Promise<void> | undefined
  const close = async () => {
    await finish(closeTimeout)
    await runtime.dispose()
  }
  return Object.assign((request: Request, services?: FetchServices) => respond(request, services), {
    handles,
    close: () => closed ??= close()
  })
}
