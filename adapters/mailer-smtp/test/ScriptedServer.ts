import { Effect, type Scope } from "effect"
import { createServer, type Socket } from "node:net"

/** A server that misbehaves as scripted. */
export interface ScriptedServer {
  readonly port: number
  /** Accepted connections, oldest first. */
  readonly sockets: ReadonlyArray<Socket>
}

/** Accepts every command; `opened` and `mailed` decide what happens on a new connection and after a complete mail. */
export const scriptedServer = (
  script: {
    readonly opened?: (socket: Socket) => void
    readonly mailed?: (socket: Socket) => void
  }
): Effect.Effect<ScriptedServer, never, Scope.Scope> =>
  Effect.gen(function*() {
    const greet = (socket: Socket) => socket.write("220 ready\r\n")
    const { mailed = (socket) => socket.write("250 taken\r\n"), opened = greet } = script
    const sockets: Array<Socket> = []
    const server = createServer((socket) => {
      sockets.push(socket)
      let [text, inMail] = ["", false]
      socket.on("error", () => {}).on("data", (part) => {
        text += part.toString("latin1")
        const end = inMail ? "\r\n.\r\n" : "\r\n"
        if (!text.endsWith(end)) return
        const command = text
        text = ""
        if (inMail) {
          inMail = false
          return mailed(socket)
        }
        inMail = command.startsWith("DATA")
        socket.write(inMail ? "354 go on\r\n" : "250 fine\r\n")
      })
      opened(socket)
    })
    const port = yield* Effect.acquireRelease(
      Effect.async<number>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
        })
      }),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          sockets.forEach((socket) => socket.destroy())
        })
    )
    return { port, sockets }
  })
