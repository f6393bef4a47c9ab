import type { Engine } from "@trunkline/engine"
import { normalizePrefix } from "@trunkline/http-api"
import { type NodeHandler, toNodeHandler } from "@trunkline/node-http"
import type { Layer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { heedCallbacks } from "./HeedCallbacks.js"

/** A request as Express hands it on. */
export interface ExpressRequest extends IncomingMessage {
  /** The path that the handler is mounted under, which Express has taken off `url`. */
  readonly baseUrl?: string
  /** What a body parser has made of the body. */
  readonly body?: unknown
}

/** Where a handler's API lies, and how it closes. */
export interface ExpressHandlerOptions {
  /**
   * The whole path that the handler is mounted under, such as `/voice`; default none. Express tells it with each
   * request, so only `upgrade` needs it, and an app that mounts the handler without a path.
   */
  readonly prefix?: string
  /** How long requests in flight may take once closing has begun, in milliseconds; default 30 seconds. */
  readonly closeTimeout?: number
}

/** Middleware for Express over a running engine. */
export interface ExpressHandler extends Pick<NodeHandler, "upgrade" | "close"> {
  (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void): void
}

const originPattern = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/**
 * Starts the engine and answers its routes as middleware, under any path and in any router:
 * `app.use("/voice", handler)`. Other requests go on to what comes next. Rejects when the engine does not start.
 *
 * It may come after body parsers, whose limits and refusals then come first; forms with files (multer) it must precede.
 */
export const toExpressHandler = async <E>(
  engine: Layer.Layer<Engine, E>,
  { closeTimeout, prefix = "" }: ExpressHandlerOptions = {}
): Promise<ExpressHandler> => {
  const fixed = normalizePrefix(prefix)
  const handler = await toNodeHandler(engine, {
    prefix: ({ baseUrl = "" }: ExpressRequest) => baseUrl === "" ? fixed : baseUrl,
    ...(closeTimeout !== undefined && { closeTimeout })
  })
  return Object.assign(
    (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => {
      const { baseUrl = "", url = "" } = request
      request.url = `${baseUrl}${url.replace(originPattern, "")}`
      if (handler.handles(request)) {
        heedCallbacks(response)
        return handler(request, response)
      }
      request.url = url
      next()
    },
    { upgrade: handler.upgrade, close: handler.close }
  )
}
