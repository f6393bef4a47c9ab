import { Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { Socket } from "node:net"
import { listening } from "./Listening.js"
import { play, type Script } from "./Steps.js"

/** A request as it came in. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  /** When its connection closed, by `performance.now()`; pending until then. */
  readonly closed: Promise<number>
  /** Bytes of the answer that were given to the network. */
  readonly sent: () => number
}

/** A server that answers as it is told. */
export interface FakeServer {
  readonly origin: string
  readonly requests: ReadonlyArray<Seen>
  /** Connections that were ever opened. */
  readonly connections: () => number
  /** Connections that are open. */
  readonly open: () => number
  /** Answers that are under way. */
  readonly atWork: () => number
  /** The most answers that were ever under way at once. */
  readonly busiest: () => number
  /** What it answers from now on. */
  readonly answer: (script: Script) => void
}

/** What a request holds as a form. */
export const formOf = ({ body, headers }: Seen): Promise<FormData> =>
  new Response(body, { headers: { "content-type": headers["content-type"] ?? "" } }).formData()

/** What a request holds as JSON. */
export const jsonOf = ({ body }: Seen): unknown => JSON.parse(Buffer.from(body).toString())

/** Starts a server that answers as `script` says, on a free port, until the scope closes. */
export const fakeServer = (script: Script = ["hang"]): Effect.Effect<FakeServer, never, Scope.Scope> =>
  Effect.gen(function*() {
    const requests: Array<Seen> = []
    const closings = new Map<Socket, Promise<number>>()
    let open = 0
    let atWork = 0
    let busiest = 0
    let answer = script

    const server = createServer((request, response) => {
      const pieces: Array<Buffer> = []
      request.on("data", (piece) => pieces.push(piece)).on("end", async () => {
        const seen: Seen = {
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(pieces),
          closed: closings.get(request.socket) ?? Promise.resolve(0),
          sent: () => request.socket.bytesWritten
        }
        requests.push(seen)
        atWork++
        busiest = Math.max(busiest, atWork)
        response.once("close", () => atWork--)
        await play(typeof answer === "function" ? await answer(seen) : answer, response)
      })
    })
    server.on("connection", (socket) => {
      open++
      const closing = new Promise<number>((done) => socket.once("close", () => done(performance.now())))
      void closing.then(() => open--)
      closings.set(socket.on("error", () => {}), closing)
    })
    // It keeps connections for good, and does not say for how long.
    server.keepAliveTimeout = 0
    const port = yield* listening(server)
    return {
      origin: `http://127.0.0.1:${port}`,
      requests,
      connections: () => closings.size,
      open: () => open,
      atWork: () => atWork,
      busiest: () => busiest,
      answer: (script) => {
        answer = script
      }
    }
  })
