import { CallEvents, type Carrier, type Connection, type FrameSocket } from "@trunkline/telephony"
import { Effect, Runtime } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { buffer } from "node:stream/consumers"
import { type WebSocket, WebSocketServer } from "ws"
import { framesOf, listenTo } from "../adapters/node-http/src/SocketFrames.js"

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** The frames of a socket, which tell each text as it leaves. */
const toldFrames = (ws: WebSocket, socket: Socket, onPost: (frame: string) => void): FrameSocket => {
  const frames = framesOf(ws, socket, listenTo(ws))
  return {
    ...frames,
    post: (frame) => {
      if (typeof frame === "string") onPost(frame)
      frames.post(frame)
    }
  }
}

/**
 * Starts a server with the two routes of a hosted line. The line is set once its address is known. `onPost` is told each
 * message as it leaves.
 */
export const startMediaHost = (carrier: Carrier, onPost: (frame: string) => void) =>
  Effect.gen(function*() {
    const inbox = yield* CallEvents
    const run = Runtime.runPromise(yield* Effect.runtime())
    const line: { connection?: Connection } = {}
    const server = createServer(async (request, response) => {
      const { connection } = line
      const body = await buffer(request)
      const read = connection === undefined ? undefined : carrier.readEvents?.({
        method: "POST",
        url: request.url ?? "",
        headers: headersOf(request),
        body,
        connection,
        remoteAddress: "127.0.0.1"
      })
      const told = read === undefined ? [] : await run(read)
      await run(inbox.receive(carrier.provider, "events" in told ? told.events : told))
      response.writeHead(204).end()
    })
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong: false })
    server.on("upgrade", (request, socket, head) => {
      const { connection } = line
      const url = request.url ?? ""
      if (connection === undefined) return void socket.destroy()
      const open = Effect.async<FrameSocket>((resume) =>
        sockets.handleUpgrade(request, socket, head, (ws) =>
          resume(Effect.succeed(toldFrames(ws, request.socket, onPost))))
      )
      const accepted = carrier.acceptStream?.({
        token: url.replace(/^.*\/streams\//, ""),
        url,
        headers: headersOf(request),
        connection,
        remoteAddress: "127.0.0.1",
        seek: Effect.void
      }, open)
      if (accepted !== undefined) {
        void run(accepted)
      }
    })
    yield* Effect.promise(() =>
      new Promise<void>((resolve) =>
        server.listen(0, "127.0.0.1", resolve)
      )
    )
    const address = server.address()
    return {
      url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
      setConnection: (connection: Connection) => {
        line.connection = connection
      }
    }
  })
