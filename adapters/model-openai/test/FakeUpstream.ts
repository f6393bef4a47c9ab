import { Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders, Server as HttpServer, type ServerResponse } from "node:http"
import { createServer as createTcpServer, type Server, type Socket } from "node:net"

/** A request as it came in. */
export interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  /** Completes when its connection closes. */
  readonly closed: Promise<void>
  /** Bytes of the answer that the network has not taken yet. */
  readonly unsent: () => number
}

/** One step of a scripted answer. */
export type Step =
  /** Status and headers; without this step, 200 and the type of a stream. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>> }
  /** Bytes of the body, in one write. */
  | { readonly write: string | Uint8Array }
  | { readonly pause: number }
  /** An answer before the answer: 103. */
  | "hint"
  /** The body is over. */
  | "end"
  /** The connection breaks. */
  | "cut"
  /** The connection is reset. */
  | "reset"
  /** Nothing more happens. */
  | "hang"

/** What to answer to a request. */
export type Script = ReadonlyArray<Step> | ((seen: Seen) => ReadonlyArray<Step>)

/** A server that answers as it is told. */
export interface FakeUpstream {
  readonly baseUrl: string
  readonly requests: ReadonlyArray<Seen>
  /** Connections that were ever opened. */
  readonly connections: () => number
  /** Connections that are open. */
  readonly open: () => number
  /** Answers that are neither over nor broken off. */
  readonly atWork: () => number
  /** What it answers from now on. */
  readonly answer: (script: Script) => void
}

const isStarted = (response: ServerResponse) => response.headersSent

const begin = (response: ServerResponse, status = 200, headers: Readonly<Record<string, unknown>> = {}) => {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, Array.isArray(value) ? value : String(value))
  }
  response.flushHeaders()
}

const play = async (steps: ReadonlyArray<Step>, response: ServerResponse): Promise<void> => {
  for (const step of steps) {
    if (response.destroyed) return
    if (step === "hang") return
    if (step === "cut") {
      response.destroy()
      return
    }
    if (step === "reset") {
      response.socket?.resetAndDestroy()
      return
    }
    if (step === "hint") {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" })
      continue
    }
    if (typeof step !== "string" && "status" in step) {
      begin(response, step.status, step.headers)
      continue
    }
    if (typeof step !== "string" && "pause" in step) {
      await new Promise((done) => setTimeout(done, step.pause))
      continue
    }
    if (!isStarted(response)) begin(response, 200, { "content-type": "text/event-stream" })
    if (step === "end") response.end()
    else response.write(step.write)
  }
}

/** Lets a server listen on a free port of the loopback address until the scope closes; gives the port. */
export const listening = (server: Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
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
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    return yield* listening(createTcpServer((socket) => {
      sockets.add(socket)
      serve(socket.on("error", () => {}))
    }))
  })

/** Starts a server that answers as `script` says, on a free port, until the scope closes. */
export const fakeUpstream = (script: Script = ["hang"]): Effect.Effect<FakeUpstream, never, Scope.Scope> =>
  Effect.gen(function*() {
    const requests: Array<Seen> = []
    const closings = new Map<Socket, Promise<void>>()
    let open = 0
    let atWork = 0
    let answer = script

    const server = createServer((request, response) => {
      const pieces: Array<Buffer> = []
      request.on("data", (piece) => pieces.push(piece)).on("end", () => {
        const seen: Seen = {
          path: request.url ?? "",
          headers: request.headers,
          body: JSON.parse(String(Buffer.concat(pieces))),
          closed: closings.get(request.socket) ?? Promise.resolve(),
          unsent: () => response.writableLength
        }
        requests.push(seen)
        atWork++
        response.once("close", () => atWork--)
        void play(typeof answer === "function" ? answer(seen) : answer, response)
      })
    })
    server.on("connection", (socket) => {
      open++
      const closing = new Promise<void>((done) => socket.once("close", () => done()))
      void closing.then(() => open--)
      closings.set(socket.on("error", () => {}), closing)
    })
    // It keeps connections for good, and does not say for how long.
    server.keepAliveTimeout = 0
    const port = yield* listening(server)
    return {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      requests,
      connections: () => closings.size,
      open: () => open,
      atWork: () => atWork,
      answer: (script) => {
        answer = script
      }
    }
  })
