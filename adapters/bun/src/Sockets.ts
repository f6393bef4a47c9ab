import type { ServerSocket } from "@trunkline/http-api"
import { Deferred, Effect, Exit, FiberId, type Scope } from "effect"
import type { BunServer, BunSocket, BunWebSockets } from "./BunServer.js"

/** What Bun keeps with a WebSocket for us, and by which its events find whoever waits for them. */
export class SocketData {
  readonly gone = Deferred.unsafeMake<void>(FiberId.none)
  /** Called when the client has taken bytes, or has gone. */
  taken: () => void = () => {}
  constructor(readonly opened: (socket: BunSocket) => void) {}
}

const ours = (act: (data: SocketData, socket: BunSocket) => void) => (socket: BunSocket) => {
  if (socket.data instanceof SocketData) act(socket.data, socket)
}

/**
 * How Bun treats our WebSockets, and leaves alone those whose `data` is not ours. Clients have nothing to say: what they
 * send is thrown away. One that neither takes anything nor answers Bun's pings for half a minute is cut off.
 */
export const webSockets: BunWebSockets = {
  maxPayloadLength: 4_096,
  backpressureLimit: 1_048_576,
  closeOnBackpressureLimit: true,
  idleTimeout: 30,
  open: ours((data, socket) => data.opened(socket)),
  message: () => {},
  drain: ours((data) => data.taken()),
  close: ours((data) => {
    Deferred.unsafeDone(data.gone, Effect.void)
    data.taken()
  })
}

/**
 * The server's end of an open socket. It gives Bun a frame when all before it have been taken, so that no more than one
 * waits in memory, however slow the client is.
 */
const serverSocket = (socket: BunSocket, data: SocketData): ServerSocket => {
  const turns = Effect.unsafeMakeSemaphore(1)
  const taken = Effect.async<void>((resume) => {
    data.taken = () => {
      if (socket.getBufferedAmount() === 0) resume(Effect.void)
    }
    data.taken()
  })
  return {
    send: (text) => turns.withPermits(1)(Effect.zipRight(taken, Effect.suspend(() => (socket.send(text), taken)))),
    close: (code, reason) => Effect.sync(() => socket.close(code, reason)),
    closed: Deferred.await(data.gone)
  }
}

const codeOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) ? 1000 : Exit.isInterrupted(exit) ? 1001 : 1011

/** The WebSockets of one engine. */
export interface Sockets {
  /**
   * Turns a request into a WebSocket until the scope closes. `answer` is called when nothing else is to be answered, or
   * with a 400 when the handshake is no good. Bun itself refuses outdated versions of the protocol, with 426.
   */
  readonly upgrade: (
    request: Request,
    server: BunServer,
    answer: (refusal?: Response) => void
  ) => Effect.Effect<ServerSocket, never, Scope.Scope>
  /** Says goodbye to all that there are, and to those that come later, with 1001. */
  readonly close: () => void
}

/** Keeps track of WebSockets. */
export const makeSockets = (): Sockets => {
  const open = new Set<BunSocket>()
  let isClosed = false

  const goodbye = (socket: BunSocket) => socket.close(1001, "The server is stopping")

  return {
    upgrade: (request, server, answer) => {
      const opened = Effect.async<readonly [BunSocket, SocketData]>((resume) => {
        const data = new SocketData((socket) => {
          open.add(socket)
          if (isClosed) goodbye(socket)
          resume(Effect.succeed([socket, data]))
        })
        if (server.upgrade(request, { data })) return answer()
        answer(new Response(null, { status: 400 }))
        resume(Effect.interrupt)
      })
      const released = ([socket]: readonly [BunSocket, SocketData], exit: Exit.Exit<unknown, unknown>) =>
        Effect.sync(() => {
          open.delete(socket)
          socket.close(codeOf(exit))
        })
      return Effect.map(Effect.acquireRelease(opened, released), ([socket, data]) => serverSocket(socket, data))
    },
    close: () => {
      isClosed = true
      open.forEach(goodbye)
    }
  }
}
