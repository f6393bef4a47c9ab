import { HttpServerError } from "@effect/platform"
import type { ServerSocket } from "@trunkline/http-api"
import { type FrameInbox, maxFrameBytes } from "@trunkline/telephony"
import { Deferred, Effect, Exit, Option, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { type WebSocket, WebSocketServer } from "ws"
import { framesOf, listenTo } from "./SocketFrames.js"

/** Interval of pings. A client that has not answered by the next ping is disconnected. */
const pingInterval = "30 seconds"

/** Time for a client to answer a close frame. */
const closeTimeout = "3 seconds"

/** WebSockets of one listener. */
export interface Sockets {
  /** Upgrades a request to a socket that closes with the scope. A disconnect of the client interrupts the fiber. */
  readonly upgrade: (request: IncomingMessage, head: Buffer) => Effect.Effect<ServerSocket, never, Scope.Scope>
  /** Accepts no more sockets, closes all open ones with 1001, and completes when they are closed. */
  readonly close: () => Promise<void>
}

const closeCodeOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) ? 1000 : Exit.isInterrupted(exit) ? 1001 : 1011

/** Waits until a closing client has disconnected, and disconnects it after the timeout. */
const awaitClose = (ws: WebSocket, closing: Effect.Effect<void>) =>
  Effect.flatMap(
    Effect.timeoutOption(Effect.interruptible(closing), closeTimeout),
    Option.match({ onNone: () => Effect.sync(() => ws.terminate()), onSome: () => Effect.void })
  )

const heartbeat = (ws: WebSocket) => {
  let isAlive = true
  ws.on("pong", () => {
    isAlive = true
  })
  const beat = Effect.sync(() => {
    if (!isAlive) return ws.terminate()
    isAlive = false
    ws.ping()
  })
  return Effect.forever(Effect.delay(beat, pingInterval))
}

/**
 * Answers a ping only when earlier data was sent, so that pongs do not accumulate for a client that does not read. Frames of
 * this moment leave before.
 */
const answerPings = (ws: WebSocket) =>
  ws.on("ping", (data) =>
    setImmediate(() => {
      if (ws.bufferedAmount === 0) ws.pong(data)
    }))

/** An open socket. */
interface Opened {
  readonly ws: WebSocket
  readonly inbox: FrameInbox
}

/** Makes WebSockets of `node:http` requests with `ws`. */
export const makeSockets = (): Sockets => {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    autoPong: false
  })

  /** Performs the handshake. When it is invalid, `ws` itself responds with 400. */
  const handshake = (request: IncomingMessage, head: Buffer) =>
    Effect.async<Opened>((resume) => {
      request.socket.once("close", () => resume(Effect.interrupt))
      server.handleUpgrade(request, request.socket, head, (ws) => {
        ws.on("error", () => ws.terminate())
        answerPings(ws)
        resume(Effect.succeed({ ws, inbox: listenTo(ws) }))
      })
    })

  const upgrade = (request: IncomingMessage, head: Buffer) =>
    Effect.withFiberRuntime<ServerSocket, never, Scope.Scope>((fiber) =>
      Effect.gen(function*() {
        let isClosing = false
        const end = yield* Deferred.make<void>()
        const closing = Deferred.await(end)
        const close = (ws: WebSocket, code: number, reason?: string) =>
          Effect.suspend(() => {
            isClosing = true
            ws.close(code, reason)
            return awaitClose(ws, closing)
          })
        const { inbox, ws } = yield* Effect.acquireRelease(
          handshake(request, head),
          ({ ws }, exit) => close(ws, closeCodeOf(exit))
        )
        ws.once("close", () => {
          Deferred.unsafeDone(end, Effect.void)
          if (!isClosing) fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
        })
        yield* Effect.forkScoped(heartbeat(ws))
        return {
          send: (text) =>
            Effect.suspend(() =>
              ws.readyState === ws.OPEN
                ? Effect.async<void>((resume) => ws.send(text, () => resume(Effect.void)))
                : Effect.yieldNow()
            ),
          close: (code, reason) => close(ws, code, reason),
          closed: closing,
          frames: framesOf(ws, request.socket, inbox)
        }
      })
    )

  const close = async () => {
    const allClosed = Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
    server.clients.forEach((ws) => ws.close(1001, "The server is shutting down"))
    await Effect.runPromise(Effect.timeoutOption(allClosed, closeTimeout))
    server.clients.forEach((ws) => ws.terminate())
  }

  return { upgrade, close }
}
