import type { Engine } from "@trunkline/engine"
import { type BodyPace, normalizePrefix } from "@trunkline/http-api"
import { type NodeHandler, nodeHandlerOf, toNodeHandler } from "@trunkline/node-http"
import type { Layer, Runtime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** Request as Express passes it to middleware. */
export interface ExpressRequest extends IncomingMessage {
  /** Path that the handler is mounted under, which Express has removed from `url`. */
  readonly baseUrl?: string
  /** Body as a parser has decoded it. */
  readonly body?: unknown
}

/** Options of `toExpressHandler`. */
export interface ExpressHandlerOptions {
  /**
   * Complete path that the handler is mounted under, such as `/voice`; none by default. Requests carry this path, so it is
   * only needed for `upgrade`, and in an app that mounts the handler without a path.
   */
  readonly prefix?: string
  /** Time that requests in flight may take after `close()` was called, in milliseconds; 30 seconds by default. */
  readonly closeTimeout?: number
  /** Lowest pace of the body of a request; no pause of 30 seconds, and 500 bytes a second, by default. */
  readonly bodyPace?: BodyPace
}

/** Express middleware of a running engine. */
export interface ExpressHandler extends Pick<NodeHandler, "upgrade" | "close"> {
  (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void): void
}

const originPattern = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/**
 * Starts the engine and returns middleware with its routes, for any path and any router. Other requests are passed on to
 * `next`. Rejects when the engine does not start.
 *
 * It works before and after body parsers; after them, the limits and errors of the parsers apply first. Mount it before
 * parsers of multipart forms, such as multer.
 *
 * @example
 * ```ts
 * const voice = await toExpressHandler(engine, { prefix: "/voice" })
 * app.use("/voice", voice)
 * const server = app.listen(8787)
 * server.on("upgrade", (request, socket, head) => {
 *   if (!voice.upgrade(request, socket, head)) socket.destroy()
 * })
 * ```
 */
export const toExpressHandler = async <E>(
  engine: Layer.Layer<Engine, E>,
  options: ExpressHandlerOptions = {}
): Promise<ExpressHandler> => middlewareOf(await toNodeHandler(engine, nodeOptions(options)))

/** Returns middleware with the routes of an engine that is already running, and that `close` leaves running. */
export const expressHandlerOf = (
  runtime: Runtime.Runtime<Engine>,
  options: ExpressHandlerOptions = {}
): ExpressHandler => middlewareOf(nodeHandlerOf(runtime, nodeOptions(options)))

const nodeOptions = ({ prefix = "", ...options }: ExpressHandlerOptions) => {
  const fixedPrefix = normalizePrefix(prefix)
  return {
    ...options,
    prefix: ({ baseUrl = "" }: ExpressRequest) => baseUrl === "" ? fixedPrefix : baseUrl
  }
}

const middlewareOf = (handler: NodeHandler): ExpressHandler =>
  Object.assign(
    (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => {
      const { baseUrl = "", url = "" } = request
      request.url = `${baseUrl}${url.replace(originPattern, "")}`
      if (handler.handles(request)) {
        return handler(request, response)
      }
      request.url = url
      next()
    },
    { upgrade: handler.upgrade, close: handler.close }
  )
