import { Effect, type Scope } from "effect"
import { connect as open, createServer, type Server, type Socket } from "node:net"

/** A way to a server that can be cut. */
export interface Relay {
  /** URL of the server through the relay. */
  readonly url: string
  /** Ends all connections, and refuses new ones. */
  readonly cut: Effect.Effect<void>
  /** Takes connections again. */
  readonly join: Effect.Effect<void>
}

const listen = (server: Server, port: number) =>
  Effect.async<number>((resume) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Relays connections to the server of a URL, until the scope ends. */
export const throughRelay = (to: string): Effect.Effect<Relay, never, Scope.Scope> =>
  Effect.gen(function*() {
    const target = new URL(to)
    const sockets = new Set<Socket>()
    const server = createServer((near) => {
      const far = open(Number(target.port), target.hostname)
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far).pipe(near)
    })
    const cut = Effect.sync(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
    const port = yield* Effect.acquireRelease(listen(server, 0), () => cut)
    const url = new URL(to)
    url.port = String(port)
    return { url: url.href, cut, join: Effect.asVoid(listen(server, port)) }
  })
