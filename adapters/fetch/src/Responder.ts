import { HttpApp } from "@effect/platform"
import { isApiUrl, mountAt, normalizePrefix, type ServerSocket, SocketUpgrade } from "@trunkline/http-api"
import { Context, Effect, Option, type Runtime, type Scope } from "effect"
import { exchanged } from "./Exchanged.js"
import { Exchange, makeExchanges } from "./Exchanges.js"

/** What a host can do for one request. */
export interface FetchServices {
  /** Turns the request into a WebSocket; given by hosts that can, for requests that ask for it. */
  readonly upgrade?: Option.Option<Effect.Effect<ServerSocket, never, Scope.Scope>>
}

/** What fetch needs of an application. */
export interface Responder {
  readonly respond: (request: Request, services?: FetchServices) => Promise<Response>
  readonly handles: (request: Pick<Request, "url">) => boolean
  /**
   * Ends subscriptions, and completes when all answers are over; cuts those that outlast the timeout. What comes later
   * is answered 503.
   */
  readonly finish: (timeout: number) => Promise<void>
}

/** Serves an application by fetch. */
export const makeResponder = (app: HttpApp.Default<never, Scope.Scope>, given = ""): Effect.Effect<Responder> =>
  Effect.gen(function*() {
    const prefix = normalizePrefix(given)
    const closing = yield* Effect.makeLatch()
    const exchanges = makeExchanges()
    const perRequest = (yield* Effect.runtime<never>()) as Runtime.Runtime<Exchange>
    const handle = HttpApp.toWebHandlerRuntime(perRequest)(mountAt(exchanged(app, closing.await), () => prefix))
    let isStopped = false
    return {
      respond: async (request, { upgrade = Option.none() } = {}) => {
        if (isStopped) return new Response(null, { status: 503 })
        if (request.signal.aborted) return new Response(null, { status: 499 })
        const exchange = Context.make(Exchange, exchanges.begin(request))
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
