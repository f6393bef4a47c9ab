import { Effect, type Scope } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { Socket } from "node:net"
// The file and not the package: Bun puts a client of its own, without pools and phases, in the package's place.
import { buildConnector, type Dispatcher, Pool } from "undici/index.js"

/** What is asked of a server: posted, unless it says otherwise. */
export interface Posted {
  readonly method?: "GET" | "POST"
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** What is heard of a request. Nothing after `onEnd` or `onError`. */
export interface Hooks {
  /** It is connected, and the request is being written. */
  readonly onSent: () => void
  readonly onHead: (status: number, headers: IncomingHttpHeaders) => void
  readonly onBytes: (bytes: Uint8Array) => void
  readonly onEnd: () => void
  readonly onError: (error: unknown) => void
}

/** A request on its way. */
export interface Exchange {
  /** True when a connection is being opened for this request; false while it waits for one of the others. */
  readonly hasOwnConnection: () => boolean
  /** Breaks its connection, also one that is still being opened; nothing where the answer has arrived whole. */
  readonly cancel: () => void
  /** Reads no further. */
  readonly hold: () => void
  /** Reads on. */
  readonly resume: () => void
}

/** Connections to one server that stay open between requests. Redirects are answers like any other. */
export interface Connections {
  readonly post: (posted: Posted, hooks: Hooks) => Exchange
}

/** How much longer than a request waits for its connection the connection itself is waited for, in ms. */
const connectMargin = 1_000

/** Opens connections to one server, and closes them with the scope. */
export const makeConnections = (options: {
  /** Such as `https://api.example.com`. */
  readonly origin: string
  /** How many there are at most. */
  readonly connections: number
  /** How long a request waits for one. */
  readonly connectMillis: number
  /** How long one is kept that carries nothing. */
  readonly idleMillis: number
}): Effect.Effect<Connections, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { connectMillis, connections, idleMillis, origin } = options
    const open = buildConnector({ timeout: Number.isFinite(connectMillis) ? connectMillis + connectMargin : 0 })
    const connecting = new Set<Socket>()
    /** Takes the socket that is opened for the request that is being posted. */
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

    const post = (posted: Posted, hooks: Hooks): Exchange => {
      let controller: Dispatcher.DispatchController | undefined
      let ownSocket: Socket | undefined
      let cancelled = false
      opening = (socket) => {
        ownSocket = socket
      }
      pool.dispatch({ method: "POST", ...posted }, {
        onRequestStart: (started) => {
          controller = started
          if (cancelled) started.abort(new Error("cancelled"))
          else hooks.onSent()
        },
        onResponseStart: (_, status, headers) => {
          if (status >= 200) hooks.onHead(status, headers)
        },
        onResponseData: (_, bytes) => hooks.onBytes(bytes),
        onResponseEnd: () => hooks.onEnd(),
        onResponseError: (_, error) => hooks.onError(error)
      })
      opening = () => {}
      return {
        hasOwnConnection: () => ownSocket !== undefined,
        cancel: () => {
          cancelled = true
          if (controller === undefined) ownSocket?.destroy(new Error("cancelled"))
          else controller.abort(new Error("cancelled"))
        },
        hold: () => controller?.pause(),
        resume: () => controller?.resume()
      }
    }
    return { post }
  })
