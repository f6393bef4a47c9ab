import { isKeepAlive, parseMessage, type Received, type SipTransport } from "@trunkline/sip"
import { type Context, Effect, type Scope } from "effect"
import { createSocket } from "node:dgram"
import { once } from "node:events"

/** UDP on a free port of 127.0.0.1, as a bare transport of the other side of a bench. */
export const makeDatagramTransport: Effect.Effect<Context.Tag.Service<SipTransport>, never, Scope.Scope> = Effect.gen(
  function*() {
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => createSocket({ type: "udp4", recvBufferSize: 1024 * 1024 })),
      (opened) => Effect.sync(() => void opened.close())
    )
    socket.bind(0, "127.0.0.1")
    yield* Effect.promise(() => once(socket, "listening"))
    const { port } = socket.address()
    const listeners = new Set<(received: Received) => void>()
    socket.on("message", (bytes, { address: host, port }) => {
      if (isKeepAlive(bytes)) return
      const received: Received = { message: parseMessage(bytes), source: { protocol: "udp", host, port } }
      listeners.forEach((listener) => listener(received))
    })
    return {
      listen: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(listener)),
          () => Effect.sync(() => listeners.delete(listener))
        ),
      send: (bytes, to, failed) =>
        socket.send(bytes, to.port, to.host, (error) => {
          if (error !== null) failed(error.message)
        }),
      local: () => ({ host: "127.0.0.1", port }),
      resolve: ({ host, port = 5060, protocol = "udp" }) => Effect.succeed([{ protocol, host, port }])
    }
  }
)
