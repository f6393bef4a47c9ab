import { HttpApp, HttpMiddleware } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import {
  app,
  type BodyPace,
  isApiUrl,
  mountAt,
  normalizePrefix,
  type ServerSocket,
  SocketUpgrade
} from "@trunkline/http-api"
import { Context, Effect, type Layer, ManagedRuntime, Option, Runtime, type Scope } from "effect"
import { Exchange, makeExchanges, withExchange } from "./Exchange.js"

/** Capabilities of the host for one request, and its knowledge of it. */
export interface FetchServices {
  /** Address of the client, or of the proxy before it; unknown by default, so that lines with `allowed_addresses` refuse it. */
  readonly remoteAddress?: string | undefined
  /** Upgrades the request to a WebSocket. Hosts that support WebSockets provide it for requests that ask for one. */
  readonly upgrade?: Option.Option<Effect.Effect<ServerSocket, never, Scope.Scope>>
}

/** An application as a fetch handler uses it. */
export interface Responder {
  readonly respond: (request: Request, services?: FetchServices) => Promise<Response>
  readonly handles: (request: Pick<Request, "url">) => boolean
  /**
   * Ends subscriptions, and completes when no response is in flight; cuts those that exceed the timeout. Later requests
   * are answered with 503.
   */
  readonly finish: (timeout: number) => Promise<void>
}

/** Makes a responder for an application, under a path prefix. */
export const makeResponder = (
  app: HttpApp.Default<never, Scope.Scope>,
  { bodyPace = {}, prefix: pathPrefix = "" }: Pick<FetchHandlerOptions, "bodyPace" | "prefix"> = {}
): Effect.Effect<Responder> =>
  Effect.gen(function*() {
    const prefix = normalizePrefix(pathPrefix)
    const closing = yield* Effect.makeLatch()
    const exchanges = makeExchanges()
    const runtime = (yield* Effect.runtime<never>()) as Runtime.Runtime<Exchange>
    const handle = HttpApp.toWebHandlerRuntime(runtime)(
      mountAt(withExchange(app, { bodyPace, closing: closing.await }), () => prefix)
    )
    let isStopped = false
    return {
      respond: async (request, { remoteAddress, upgrade = Option.none() } = {}) => {
        if (isStopped) return new Response(null, { status: 503 })
        if (request.signal.aborted) return new Response(null, { status: 499 })
        const exchange = Context.make(Exchange, exchanges.begin(request, remoteAddress))
        return handle(request, Context.add(exchange, SocketUpgrade, upgrade))
      },
      handles: ({ url }) => isApiUrl(prefix, url),
      finish: async (timeout) => {
        closing.unsafeOpen()
        await exchanges.finish(timeout)
        isStopped = true
      }
    }
  })

/** Options of `toFetchHandler`. */
export interface FetchHandlerOptions {
  /** Path prefix of the API, such as `/voice`; none by default. */
  readonly prefix?: string
  /** Time that requests in flight may take after `close()` was called, in milliseconds; 30 seconds by default. */
  readonly closeTimeout?: number
  /** Lowest pace of the body of a request; no pause of 30 seconds, and 500 bytes a second, by default. */
  readonly bodyPace?: BodyPace
}

/** Fetch handler of a running engine. */
export interface FetchHandler {
  (request: Request, services?: FetchServices): Promise<Response>
  /** True when the URL of a request is a route of the API; hosts handle all others. */
  readonly handles: (request: Pick<Request, "url">) => boolean
  /**
   * Ends event streams, lets other requests in flight finish, waits up to 30 seconds for calls in progress, and stops the
   * engine. Later requests are answered with 503.
   */
  readonly close: () => Promise<void>
}

const handlerOf = ({ handles, respond }: Responder, close: () => Promise<void>): FetchHandler => {
  let end: Promise<void> | undefined
  return Object.assign((request: Request, services?: FetchServices) => respond(request, services), {
    handles,
    close: () => end ??= close()
  })
}

const makeApiResponder = (options: FetchHandlerOptions) =>
  HttpMiddleware.withTracerDisabledWhenEffect(Effect.flatMap(app, (app) => makeResponder(app, options)), () => true)

/** Returns a fetch handler of an engine that is already running, and that `close` leaves running. */
export const fetchHandlerOf = (
  runtime: Runtime.Runtime<Engine>,
  { closeTimeout = 30_000, ...options }: FetchHandlerOptions = {}
): FetchHandler => {
  const responder = Runtime.runSync(runtime)(makeApiResponder(options))
  return handlerOf(responder, () => responder.finish(closeTimeout))
}

/**
 * Starts the engine and returns a fetch handler with its routes, for Hono, Next.js and other hosts that use `Request` and
 * `Response`. Rejects when the engine does not start.
 *
 * @example
 * ```ts
 * const voice = await toFetchHandler(engine, { prefix: "/voice" })
 * app.all("/voice/*", ({ req }) => voice(req.raw)) // Hono
 * ```
 */
export const toFetchHandler = async <E>(
  engine: Layer.Layer<Engine, E>,
  { closeTimeout = 30_000, ...options }: FetchHandlerOptions = {}
): Promise<FetchHandler> => {
  const runtime = ManagedRuntime.make(engine)
  const responder = await runtime.runPromise(makeApiResponder(options))
  return handlerOf(responder, async () => {
    await responder.finish(closeTimeout)
    await runtime.dispose()
  })
}
