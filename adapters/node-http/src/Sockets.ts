import { HttpServerError } from "@effect/platform"
import type { ServerSocket } from "@trunkline/http-api"
import { Deferred, Effect, Exit, Option, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { type WebSocket, WebSocketServer } from "ws"

/** The most bytes that a message of a client may have, who has nothing to say: what it sends is thrown away. */
const maxPayload = 4_096

/** How often a client is asked whether it is still there; one that has not answered by the next time is cut off. */
const pingInterval = "30 seconds"

/** How long a client may take to answer a goodbye. */
const patience = "3 seconds"

/** The WebSockets of one handler. */
export interface Sockets {
  /** Upgrades a request, whose socket ends with the scope. A client that goes away interrupts the fiber. */
  readonly upgrade: (request: IncomingMessage, head: Buffer) => Effect.Effect<ServerSocket, never, Scope.Scope>
  /** Takes no more, says goodbye to all that there are with 1001, and completes when they are gone. */
  readonly close: () => Promise<void>
}

const codeOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) ? 1000 : Exit.isInterrupted(exit) ? 1001 : 1011

/** Waits for a client that was told goodbye, though not for ever. */
const parted = (ws: WebSocket, closed: Effect.Effect<void>) =>
  Effect.flatMap(
    Effect.timeoutOption(Effect.interruptible(closed), patience),
    Option.match({ onNone: () => Effect.sync(() => ws.terminate()), onSome: () => Effect.void })
  )

const heartbeat = (ws: WebSocket) => {
  let isThere = true
  ws.on("pong", () => {
    isThere = true
  })
  const beat = Effect.sync(() => {
    if (!isThere) return ws.terminate()
    isThere = false
    ws.ping()
  })
  return Effect.forever(Effect.delay(beat, pingInterval))
}

/** Answers pings, one at a time: answers that nobody reads would pile up. */
const answerPings = (ws: WebSocket) =>
  ws.on("ping", (data) => {
    if (ws.bufferedAmount === 0) ws.pong(data)
  })

/** Upgrades requests of `node:http` with `ws`. */
export const makeSockets = (): Sockets => {
  const server = new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false, autoPong: false })

  /** A handshake that `ws` refuses is answered by it with a 400. */
  const handshake = (request: IncomingMessage, head: Buffer) =>
    Effect.async<WebSocket>((resume) => {
      request.socket.once("close", () => resume(Effect.interrupt))
      server.handleUpgrade(request, request.socket, head, (ws) => {
        ws.on("error", () => ws.terminate())
        answerPings(ws)
        resume(Effect.succeed(ws))
      })
    })

  const upgrade = (request: IncomingMessage, head: Buffer) =>
    Effect.withFiberRuntime<ServerSocket, never, Scope.Scope>((fiber) =>
      Effect.gen(function*() {
        let isOurs = false
        const done = yield* Deferred.make<void>()
        const closed = Deferred.await(done)
        const close = (ws: WebSocket, code: number, reason?: string) =>
          Effect.suspend(() => {
            isOurs = true
            ws.close(code, reason)
            return parted(ws, closed)
          })
        const ws = yield* Effect.acquireRelease(
          handshake(request, head),
          (ws, exit) => close(ws, codeOf(exit))
        )
        ws.once("close", () => {
          Deferred.unsafeDone(done, Effect.void)
          if (!isOurs) fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
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
          closed
        }
      })
    )

  const close = async () => {
    const gone = Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
    server.clients.forEach((ws) => ws.close(1001, "The server is stopping"))
    await Effect.runPromise(Effect.timeoutOption(gone, patience))
    server.clients.forEach((ws) => ws.terminate())
  }

  return { upgrade, close }
}
