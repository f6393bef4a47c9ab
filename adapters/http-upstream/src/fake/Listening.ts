import { Effect, type Scope } from "effect"
import { Server as HttpServer } from "node:http"
import { createServer, type Server, type Socket } from "node:net"

/** Lets a server listen on a port of the loopback address, a free one unless told, until the scope closes; gives the port. */
export const listening = (server: Server, port = 0): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        if (server instanceof HttpServer) server.closeAllConnections()
      })
  )

/** A local server that treats its connections as it likes, HTTP or not; gives its port. */
export const tcp = (serve: (socket: Socket) => void): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    const port = yield* listening(createServer((socket) => {
      sockets.add(socket)
      serve(socket.on("error", () => {}))
    }))
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    return port
  })
