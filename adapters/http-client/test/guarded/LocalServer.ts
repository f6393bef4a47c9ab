import type { GuardOptions } from "@trunkline/http-client/guarded"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type RequestListener, Server as HttpServer } from "node:http"
import { createServer as createTcpServer, type Server, type Socket } from "node:net"

/** Options that allow the servers of this file. */
export const local: GuardOptions = { allowInsecureUrls: true, allowPrivateUrls: true }

/** Starts a server on a free port, by default of the loopback address, until the scope closes, and returns the port. */
export const listening = (server: Server, host = "127.0.0.1"): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, host, () => {
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

/** Starts a local server with raw responses, HTTP or not, and returns its port. */
export const rawServer = (answer: (socket: Socket, path: string) => void) =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    return yield* listening(createTcpServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => {}).once("data", (head) => answer(socket, String(head).split(" ")[1] ?? ""))
    }))
  })

/** Starts a local HTTP server and returns its port. */
export const httpServer = (listener: RequestListener) => listening(createServer(listener))

/** The whole body of a request. */
export const read = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}
