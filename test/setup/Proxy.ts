import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"

/** A way to a database that a test can close. */
export interface Proxy {
  /** URL of the database, by way of the proxy. */
  readonly url: string
  /** Breaks all connections, and takes no new ones until `open`. */
  readonly close: () => void
  /** Takes connections again. */
  readonly open: () => void
  /** Breaks all connections, and takes new ones. */
  readonly cut: () => void
  /**
   * Breaks the connection that next sends a text: before the server has it, or once it has answered, so that the answer is
   * lost.
   */
  readonly cutAt: (text: string, when: "before" | "after") => void
}

/** A proxy before a database, which ends with the scope. */
export const proxyBefore = (database: string): Effect.Effect<Proxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<{ readonly proxy: Proxy; readonly stop: () => void }>((resume) => {
        const target = new URL(database)
        const sockets = new Set<Socket>()
        let isOpen = true
        let planned: { readonly text: string; readonly when: "before" | "after" } | null = null
        const cut = () => sockets.forEach((socket) => socket.destroy())

        const server = createServer((client) => {
          if (!isOpen) return void client.destroy()
          const upstream = connect(Number(target.port || 5432), target.hostname)
          const destroy = () => [client, upstream].forEach((socket) => socket.destroy())
          let losesAnswer = false
          for (const socket of [client, upstream]) {
            sockets.add(socket)
            socket.setNoDelay().on("error", destroy).on("close", () => {
              sockets.delete(socket)
              destroy()
            })
          }
          client.on("data", (bytes) => {
            if (planned !== null && bytes.includes(planned.text)) {
              const { when } = planned
              planned = null
              if (when === "before") return destroy()
              losesAnswer = true
            }
            upstream.write(bytes)
          })
          upstream.on("data", (bytes) => losesAnswer ? destroy() : void client.write(bytes))
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const url = new URL(database)
          url.hostname = "127.0.0.1"
          url.port = String(typeof address === "object" && address !== null ? address.port : 0)
          const proxy: Proxy = {
            url: url.href,
            cut,
            close: () => {
              isOpen = false
              cut()
            },
            open: () => {
              isOpen = true
            },
            cutAt: (text, when) => {
              planned = { text, when }
            }
          }
          const stop = () => {
            cut()
            server.close()
          }
          resume(Effect.succeed({ proxy, stop }))
        })
      }),
      ({ stop }) => Effect.sync(stop)
    ),
    ({ proxy }) => proxy
  )
