/** The part of the server of `Bun.serve` that is used here. Bun's own type is assignable to it. */
export interface BunServer {
  /** Undefined when the server listens on a Unix socket. */
  readonly port?: number | undefined
  /** Responds with 101 and opens the WebSocket; false when the client has disconnected or its handshake is invalid. */
  upgrade(request: Request, options: { readonly data?: unknown }): boolean
  /** Address of the client; null on a Unix socket, and once the client has disconnected. */
  readonly requestIP: (request: Request) => { readonly address: string } | null
  /** Sets the idle timeout of the connection of a request, in seconds; at most 255, 0 for none. */
  readonly timeout: (request: Request, seconds: number) => void
  /** Stops accepting connections, and completes when all are closed; with `true`, closes them. */
  readonly stop: (closeActiveConnections?: boolean) => Promise<void>
}

/** The part of a WebSocket of Bun that is used here. Bun's own type is assignable to it. */
export interface BunSocket {
  readonly data: unknown
  /** Sends a text or binary frame; bytes that the client does not take yet are buffered in memory. */
  readonly send: (frame: string | Uint8Array) => unknown
  /** Number of buffered bytes. */
  readonly getBufferedAmount: () => number
  readonly close: (code: number, reason?: string) => void
}

/** WebSocket options of `Bun.serve`. */
export interface BunWebSockets {
  readonly maxPayloadLength: number
  readonly backpressureLimit: number
  readonly closeOnBackpressureLimit: boolean
  readonly idleTimeout: number
  readonly open: (socket: BunSocket) => void
  readonly message: (socket: BunSocket, frame: string | Uint8Array) => void
  readonly drain: (socket: BunSocket) => void
  readonly close: (socket: BunSocket, code?: number) => void
}

/** Timeouts in seconds. A response begins within ten minutes, since a body may have 100 MB. */
const timeouts = { request: 600, read: 120 }

/** Applies the read timeout only while a chunk waits for the client, not while the source produces the next one. */
const withReadTimeout = (
  body: ReadableStream<Uint8Array>,
  request: Request,
  server: BunServer
): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      server.timeout(request, 0)
      const { done, value } = await reader.read()
      server.timeout(request, timeouts.read)
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason)
  }, { highWaterMark: 0 })
}

/**
 * Responds to a request with our own timeouts: ten minutes until the response begins, then two minutes for each chunk
 * that the client reads, and for its next request. Bun 1.4 counts the seconds of a connection whatever passes over it, so
 * that its default of ten seconds would cut long uploads and downloads, and quiet streams.
 */
export const withTimeouts = async (
  request: Request,
  server: BunServer,
  respond: () => Promise<Response | undefined>
): Promise<Response | undefined> => {
  server.timeout(request, 0)
  const timer = setTimeout(() => server.timeout(request, 1), timeouts.request * 1_000)
  const response = await respond().finally(() => clearTimeout(timer))
  if (response === undefined) return undefined
  server.timeout(request, timeouts.read)
  if (response.headers.has("content-length")) return response
  if (request.method === "HEAD") {
    // Without this header, Bun would declare a length of zero.
    response.headers.set("transfer-encoding", "chunked")
    return response
  }
  return response.body === null ? response : new Response(withReadTimeout(response.body, request, server), response)
}
