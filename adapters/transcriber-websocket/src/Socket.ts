import { type FaultReader, networkUpstreamError, statusError, type UpstreamError } from "@trunkline/http-client"
import { parseJson } from "@trunkline/kernel"
import { Effect, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import type { LookupFunction } from "node:net"
import { WebSocket } from "ws"

/** The end of a connection: the code and the reason of the server's close frame, 1006 if there was none. */
export interface CloseFrame {
  readonly code: number
  readonly reason: string
}

/** An open WebSocket. */
export interface Socket {
  /** Sends a message; does nothing once the socket closes. */
  readonly send: (message: string | Uint8Array) => void
  /** Bytes that wait for the network. */
  readonly unsentBytes: () => number
  /** Drops the connection. */
  readonly terminate: () => void
  /** Completes when the connection has ended. */
  readonly closed: Effect.Effect<CloseFrame>
}

/** Settings of a socket. */
export interface SocketOptions {
  /** Names the server in messages. */
  readonly serverName: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly lookup: LookupFunction
  /** Message to send before the socket is closed with the scope; null for none. */
  readonly closing: string | null
  /** Reads why the server refused the handshake. */
  readonly faultOf?: FaultReader | undefined
  readonly onMessage: (text: string) => void
}

/** Largest message of a server, in bytes. A larger one ends the connection. */
const maxPayload = 1024 * 1024

/** Time for a server to answer a close frame. */
const closeTimeout = "1 second"

const closedOf = (ws: WebSocket): Effect.Effect<CloseFrame> => {
  let closing: CloseFrame | undefined
  const waiting = new Set<() => void>()
  ws.once("close", (code, reason) => {
    closing = { code, reason: reason.toString() }
    waiting.forEach((ready) => ready())
  })
  return Effect.async<CloseFrame>((resume) => {
    const ready = () => {
      if (closing !== undefined) resume(Effect.succeed(closing))
    }
    waiting.add(ready)
    ready()
    return Effect.sync(() => waiting.delete(ready))
  })
}

/** Bytes of a refusal that are read for its reason, and the time that they may take. */
const refusalBytes = 16 * 1024
const refusalMillis = 1_000

/** Reads the reason of a refused handshake, as far as its body arrives. */
const refusalOf = (
  response: IncomingMessage,
  { faultOf, serverName }: Pick<SocketOptions, "faultOf" | "serverName">,
  onRefusal: (error: UpstreamError) => void
): void => {
  const { headers, statusCode: status = 0 } = response
  if (faultOf === undefined) return onRefusal(statusError(serverName, status, headers))
  const pieces: Array<Buffer> = []
  let length = 0
  const end = () => {
    clearTimeout(timer)
    response.destroy()
    const fault = faultOf({ status, json: parseJson(Buffer.concat(pieces).toString()) })
    onRefusal(
      fault === null ? statusError(serverName, status, headers) : statusError(serverName, status, headers, fault)
    )
  }
  const timer = setTimeout(end, refusalMillis)
  response.on("error", () => {})
  response.once("close", end)
  response.on("data", (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
    if (length >= refusalBytes) response.destroy()
  })
}

/** Ends the stream and closes the socket; drops the connection when the server does not answer, or has gone already. */
const release = (ws: WebSocket, closeFrame: Effect.Effect<CloseFrame>, closing: string | null) =>
  Effect.suspend(() => {
    if (ws.readyState !== WebSocket.OPEN) return Effect.sync(() => ws.terminate())
    if (closing !== null) ws.send(closing)
    ws.close(1000)
    return Effect.zipRight(
      Effect.timeoutOption(Effect.interruptible(closeFrame), closeTimeout),
      Effect.sync(() => ws.terminate())
    )
  })

/** Opens a socket that closes with the scope. Redirects are not followed, and nothing is compressed. */
export const openSocket = (options: SocketOptions): Effect.Effect<Socket, UpstreamError, Scope.Scope> =>
  Effect.gen(function*() {
    const { closing, faultOf, headers, lookup, onMessage, url, serverName } = options
    const make = Effect.try({
      try: () => {
        const ws = new WebSocket(url, { headers, lookup, maxPayload, perMessageDeflate: false })
        // The end of a connection is reported by "close", failures of the handshake to `opened`.
        ws.on("error", () => {})
        ws.on("message", (data) => onMessage(data.toString()))
        return { ws, closed: closedOf(ws) }
      },
      catch: (error) => networkUpstreamError(serverName, error, false)
    })
    const { closed, ws } = yield* Effect.acquireRelease(make, ({ closed, ws }) => release(ws, closed, closing))

    yield* Effect.async<void, UpstreamError>((resume) => {
      ws.once("open", () => resume(Effect.void))
      ws.once("error", (error) => resume(Effect.fail(networkUpstreamError(serverName, error, false))))
      ws.once("unexpected-response", (_, response) => {
        refusalOf(response, { serverName, faultOf }, (error) => resume(Effect.fail(error)))
      })
    }).pipe(Effect.onExit((exit) => Effect.sync(() => exit._tag === "Failure" && ws.terminate())))

    return {
      send: (message) => {
        if (ws.readyState === WebSocket.OPEN) ws.send(message)
      },
      unsentBytes: () => ws.bufferedAmount,
      terminate: () => ws.terminate(),
      closed
    }
  })
