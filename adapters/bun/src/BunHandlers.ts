import type { Engine } from "@trunkline/engine"
import { type FetchHandlerOptions, toFetchHandler } from "@trunkline/fetch"
import { type Layer, Option } from "effect"
import type { BunServer, BunWebSockets } from "./BunServer.js"
import { withPatience } from "./Patience.js"
import { makeSockets, webSockets } from "./Sockets.js"

/** A running engine, for the options of `Bun.serve`. */
export interface BunHandlers {
  /** For `fetch`, or for some of the `routes`. Gives undefined when the request has become a WebSocket. */
  readonly fetch: (request: Request, server: BunServer) => Promise<Response | undefined>
  /** For `websocket`. Sockets that were opened by others are left alone. */
  readonly websocket: BunWebSockets
  /** Whether a request is for the API: hosts keep all others. */
  readonly handles: (request: Pick<Request, "url">) => boolean
  /**
   * Says goodbye to WebSockets and event streams, lets other requests in flight finish, waits up to half a minute for the
   * calls going on, and stops the engine. A server that it is given takes no more connections from then on, and is
   * stopped in the end. What comes later is answered 503.
   */
  readonly close: (server?: Pick<BunServer, "stop">) => Promise<void>
}

/** Lets what is in flight finish for so many milliseconds, and then cuts what is left. */
const stop = async (server: Pick<BunServer, "stop">, timeout: number) => {
  const cut = setTimeout(() => server.stop(true), timeout)
  await server.stop()
  clearTimeout(cut)
}

const asksForWebSocket = ({ headers, method }: Request) =>
  method === "GET" && headers.get("upgrade")?.toLowerCase() === "websocket"

/** Starts the engine and answers its routes from `Bun.serve`. Rejects when the engine does not start. */
export const toBunHandlers = async <E>(
  engine: Layer.Layer<Engine, E>,
  options: FetchHandlerOptions = {}
): Promise<BunHandlers> => {
  const handler = await toFetchHandler(engine, options)
  const sockets = makeSockets()

  const answer = (request: Request, server: BunServer) =>
    new Promise<Response | undefined>((resolve, reject) => {
      const upgrade = asksForWebSocket(request)
        ? Option.some(sockets.upgrade(request, server, resolve))
        : Option.none()
      handler(request, { upgrade }).then(resolve, reject)
    })

  const close = async (server?: Pick<BunServer, "stop">) => {
    const stopped = server && stop(server, options.closeTimeout ?? 30_000)
    sockets.close()
    await handler.close()
    await stopped
    await server?.stop(true)
  }
  let closed: Promise<void> | undefined
  return {
    fetch: (request, server) => withPatience(request, server, () => answer(request, server)),
    websocket: webSockets,
    handles: handler.handles,
    close: (server) => closed ??= close(server)
  }
}
