import { Effect, type Scope } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { Socket } from "node:net"
// The file and not the package: Bun replaces the package by its own client, which has neither pools nor phases.
import { buildConnector, type Dispatcher, Pool } from "undici/index.js"
import { skipInterimResponses } from "./InterimResponses.js"

/** A request to a server; a POST by default. */
export interface OutgoingRequest {
  readonly method?: "GET" | "POST" | "DELETE"
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** Callbacks of a request. None is called after `onEnd` or `onError`. */
export interface Hooks {
  /** The connection is open and the request is being written. */
  readonly onSent: () => void
  readonly onHead: (status: number, headers: IncomingHttpHeaders) => void
  readonly onBytes: (bytes: Uint8Array) => void
  readonly onEnd: () => void
  readonly onError: (error: unknown) => void
}

/** A request in flight. */
export interface UpstreamExchange {
  /** True when a connection is being opened for this request; false while it waits for one in use. */
  readonly hasOwnConnection: () => boolean
  /** Closes its connection, even one that is still being opened; does nothing once the whole response has arrived. */
  readonly cancel: () => void
  /** Stops reading. */
  readonly pause: () => void
  /** Resumes reading. */
  readonly resume: () => void
}

/** A pool of persistent connections to one server. Redirects are not followed. */
export interface HttpConnections {
  readonly post: (request: OutgoingRequest, hooks: Hooks) => UpstreamExchange
}

/** Milliseconds by which the connect timeout of a socket exceeds that of its request. */
const connectMargin = 1_000

/** Makes a pool of connections to one server that closes with the scope. */
export const makeConnections = (options: {
  /** Such as `https://api.example.com`. */
  readonly origin: string
  /** Upper bound of open connections. */
  readonly connections: number
  /** Time that a request waits for a connection. */
  readonly connectMillis: number
  /** Time after which an idle connection is closed. */
  readonly idleMillis: number
}): Effect.Effect<HttpConnections, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { connectMillis, connections, idleMillis, origin } = options
    const open = skipInterimResponses(
      buildConnector({ timeout: Number.isFinite(connectMillis) ? connectMillis + connectMargin : 0 })
    )
    const connecting = new Set<Socket>()
    /** Receives the socket that is opened for the request being dispatched. */
    let opening: (socket: Socket) => void = () => {}

    const pool = yield* Effect.acquireRelease(
      Effect.sync(() =>
        new Pool(origin, {
          connections,
          keepAliveTimeout: idleMillis,
          headersTimeout: 0,
          bodyTimeout: 0,
          connect: (target, callback) => {
            const socket: unknown = open(target, (...result) => {
              if (socket instanceof Socket) connecting.delete(socket)
              callback(...result)
            })
            if (!(socket instanceof Socket)) return
            connecting.add(socket)
            opening(socket)
          }
        })
      ),
      (pool) => {
        connecting.forEach((socket) => socket.destroy())
        return Effect.promise(() => pool.destroy())
      }
    )

    const post = (request: OutgoingRequest, hooks: Hooks): UpstreamExchange => {
      let controller: Dispatcher.DispatchController | undefined
      let ownSocket: Socket | undefined
      let isCancelled = false
      opening = (socket) => {
        ownSocket = socket
      }
      pool.dispatch({ method: "POST", ...request }, {
        onRequestStart: (startedController) => {
          controller = startedController
          if (isCancelled) startedController.abort(new Error("cancelled"))
          else hooks.onSent()
        },
        onResponseStart: (_, status, headers) => hooks.onHead(status, headers),
        onResponseData: (_, bytes) => hooks.onBytes(bytes),
        onResponseEnd: () => hooks.onEnd(),
        onResponseError: (_, error) => hooks.onError(error)
      })
      opening = () => {}
      return {
        hasOwnConnection: () => ownSocket !== undefined,
        cancel: () => {
          isCancelled = true
          if (controller === undefined) ownSocket?.destroy(new Error("cancelled"))
          else controller.abort(new Error("cancelled"))
        },
        pause: () => controller?.pause(),
        resume: () => controller?.resume()
      }
    }
    return { post }
  })
