import type { ServerSocket } from "@trunkline/http-api"
import { makeFrameInbox, maxFrameBytes } from "@trunkline/telephony"
import { Deferred, Effect, Exit, FiberId, type Scope } from "effect"
import type { BunServer, BunSocket, BunWebSockets } from "./BunServer.js"

/** Data that Bun stores with each of our WebSockets, which connects its events to the fibers that wait for them. */
class SocketData {
  readonly disconnected = Deferred.unsafeMake<void>(FiberId.none)
  /** Called when the client has read bytes, or has disconnected. */
  onDrain: () => void = () => {}
  readonly inbox = makeFrameInbox()
  constructor(readonly onOpen: (socket: BunSocket) => void) {}
}

const ifOurs = (act: (data: SocketData, socket: BunSocket) => void) => (socket: BunSocket) => {
  if (socket.data instanceof SocketData) act(socket.data, socket)
}

/**
 * WebSocket options for Bun, which ignore sockets of other handlers. A client that
 * neither reads nor answers Bun's pings for 30 seconds is disconnected.
 */
export const webSockets: BunWebSockets = {
  maxPayloadLength: maxFrameBytes,
  backpressureLimit: 1_048_576,
  closeOnBackpressureLimit: true,
  idleTimeout: 30,
  open: ifOurs((data, socket) => data.onOpen(socket)),
  message: (socket, frame) => {
    if (!(socket.data instanceof SocketData)) return
    const isKept = socket.data.inbox.add(
      typeof frame === "string" ? { _tag: "Text", text: frame } : { _tag: "Bytes", bytes: frame }
    )
    if (!isKept) socket.close(1009)
  },
  drain: ifOurs((data) => data.onDrain()),
  close: (socket, code = 1006) => {
    if (!(socket.data instanceof SocketData)) return
    const { data } = socket
    Deferred.unsafeDone(data.disconnected, Effect.void)
    data.onDrain()
    data.inbox.add({ _tag: "Closed", code })
  }
}

/** Makes the server side of an open socket. It passes Bun one frame at a time, so that at most one is buffered. */
const makeServerSocket = (socket: BunSocket, data: SocketData): ServerSocket => {
  const mutex = Effect.unsafeMakeSemaphore(1)
  const drain = Effect.async<void>((resume) => {
    data.onDrain = () => {
      if (socket.getBufferedAmount() === 0) resume(Effect.void)
    }
    data.onDrain()
  })
  return {
    send: (text) => mutex.withPermits(1)(Effect.zipRight(drain, Effect.suspend(() => (socket.send(text), drain)))),
    close: (code, reason) => Effect.sync(() => socket.close(code, reason)),
    closed: Deferred.await(data.disconnected),
    frames: {
      post: (frame) => void socket.send(frame),
      waitingBytes: () => socket.getBufferedAmount(),
      hear: data.inbox.hear,
      close: (code, reason) => socket.close(code, reason)
    }
  }
}

const closeCodeOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) ? 1000 : Exit.isInterrupted(exit) ? 1001 : 1011

/** WebSockets of one engine. */
export interface Sockets {
  /**
   * Upgrades a request to a WebSocket that closes with the scope. Calls `respond` without a response after the upgrade, or
   * with a 400 when the handshake is invalid. Bun itself rejects outdated protocol versions with 426.
   */
  readonly upgrade: (
    request: Request,
    server: BunServer,
    respond: (response?: Response) => void
  ) => Effect.Effect<ServerSocket, never, Scope.Scope>
  /** Closes all open sockets, and those that open later, with 1001. */
  readonly close: () => void
}

/** Makes a registry of WebSockets. */
export const makeSockets = (): Sockets => {
  const open = new Set<BunSocket>()
  let isClosed = false

  const closeSocket = (socket: BunSocket) => socket.close(1001, "The server is shutting down")

  return {
    upgrade: (request, server, respond) => {
      const handshake = Effect.async<readonly [BunSocket, SocketData]>((resume) => {
        const data = new SocketData((socket) => {
          open.add(socket)
          if (isClosed) closeSocket(socket)
          resume(Effect.succeed([socket, data]))
        })
        if (server.upgrade(request, { data })) return respond()
        respond(new Response(null, { status: 400 }))
        resume(Effect.interrupt)
      })
      const release = ([socket]: readonly [BunSocket, SocketData], exit: Exit.Exit<unknown, unknown>) =>
        Effect.sync(() => {
          open.delete(socket)
          socket.close(closeCodeOf(exit))
        })
      return Effect.map(Effect.acquireRelease(handshake, release), ([socket, data]) => makeServerSocket(socket, data))
    },
    close: () => {
      isClosed = true
      open.forEach(closeSocket)
    }
  }
}
