import type { HttpApp } from "@effect/platform"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { type ListenerOptions, makeListener } from "../src/Listener.js"

/** Serves an application from a `node:http` server until the scope closes. */
export const listening = (app: HttpApp.Default, options: ListenerOptions = {}) =>
  Effect.gen(function*() {
    const listener = yield* makeListener(app, options)
    const server = createServer(listener.request)
    server.on("upgrade", (request, socket, head) => {
      if (!listener.upgrade(request, head)) socket.end("HTTP/1.1 418 Mine\r\n\r\n")
    })
    yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        const closed = once(server, "close")
        server.close()
        await listener.finish(0)
        server.closeAllConnections()
        await closed
      })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { listener, port, url: `http://127.0.0.1:${port}` }
  })

/** Sends lines to a server, and returns everything it sends until it closes the connection. */
export const say = (port: number, lines: ReadonlyArray<string>) =>
  Effect.promise(() => {
    const socket = connect(port, "127.0.0.1")
    socket.write(lines.join("\r\n"))
    return text(socket)
  })
