import { Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders, Server as HttpServer, type ServerResponse } from "node:http"
import { createServer as createTcpServer, type Server, type Socket } from "node:net"

/** Lets a server listen on the loopback address until the scope closes, on a free port by default; returns the port. */
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

/** Starts a local TCP server that need not speak HTTP; returns its port. */
export const tcp = (serve: (socket: Socket) => void): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    const port = yield* listening(createTcpServer((socket) => {
      sockets.add(socket)
      serve(socket.on("error", () => {}))
    }))
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    return port
  })

/** One step of a scripted response. */
export type Step =
  /** Status and headers; without this step, 200 and no content type. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Bytes of the body, in one write. */
  | { readonly write: string | Uint8Array }
  /** Waits until a promise is fulfilled. */
  | { readonly until: PromiseLike<unknown> }
  /** Sends an interim response: 100, or 103. */
  | "continue"
  | "hint"
  /** Ends the body. */
  | "end"
  /** Closes the connection. */
  | "cut"
  /** Resets the connection. */
  | "reset"
  /** Does nothing more. */
  | "hang"

/** The response to a request. */
export type ResponseScript =
  | ReadonlyArray<Step>
  | ((request: Seen) => ReadonlyArray<Step> | Promise<ReadonlyArray<Step>>)

const actions = {
  continue: (response: ServerResponse) => response.writeContinue(),
  hint: (response: ServerResponse) => response.writeEarlyHints({ link: "</style.css>; rel=preload" }),
  end: (response: ServerResponse) => void response.end(),
  cut: (response: ServerResponse) => void response.destroy(),
  reset: (response: ServerResponse) => void response.socket?.resetAndDestroy(),
  hang: () => {}
}

/** Plays the steps one by one; each write waits until the network has taken it. */
const play = async (steps: ReadonlyArray<Step>, response: ServerResponse): Promise<void> => {
  const closeEvent = new Promise((settle) => response.once("close", settle))
  for (const step of steps) {
    if (response.destroyed) return
    if (typeof step === "string") actions[step](response)
    else if ("status" in step) response.writeHead(step.status, step.headers).flushHeaders()
    else if ("until" in step) await step.until
    else await Promise.race([closeEvent, new Promise((resolve) => response.write(step.write, resolve))])
  }
}

/** A request that the fake server received. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  /** Time at which its connection closed, by `performance.now()`; pending until then. */
  readonly closed: Promise<number>
  /** Bytes of the response that were handed to the network. */
  readonly sent: () => number
}

/** An HTTP server for tests that plays a script. */
export interface FakeServer {
  readonly origin: string
  readonly requests: ReadonlyArray<Seen>
  /** Connections opened so far. */
  readonly connections: () => number
  /** Connections open now. */
  readonly open: () => number
  /** Responses in progress. */
  readonly atWork: () => number
  /** Most responses that were in progress at once. */
  readonly busiest: () => number
  /** Replaces the script for the requests to come. */
  readonly answer: (script: ResponseScript) => void
}

/** Reads the body of a request as a form. */
export const formOf = ({ body, headers }: Seen): Promise<FormData> =>
  new Response(body, { headers: { "content-type": headers["content-type"] ?? "" } }).formData()

/** Parses the body of a request as JSON. */
export const jsonOf = ({ body }: Seen): unknown => JSON.parse(Buffer.from(body).toString())

/** Starts a server that plays `script` for each request, on a free port, until the scope closes. */
export const fakeServer = (script: ResponseScript = ["hang"]): Effect.Effect<FakeServer, never, Scope.Scope> =>
  Effect.gen(function*() {
    const requests: Array<Seen> = []
    const closings = new Map<Socket, Promise<number>>()
    let open = 0
    let atWork = 0
    let busiest = 0
    let answer = script

    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
        const entry: Seen = {
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(chunks),
          closed: closings.get(request.socket) ?? Promise.resolve(0),
          sent: () => request.socket.bytesWritten
        }
        requests.push(entry)
        atWork++
        busiest = Math.max(busiest, atWork)
        response.once("close", () => atWork--)
        await play(typeof answer === "function" ? await answer(entry) : answer, response)
      })
    })
    server.on("connection", (socket) => {
      open++
      const closing = new Promise<number>((settle) => socket.once("close", () => settle(performance.now())))
      void closing.then(() => open--)
      closings.set(socket.on("error", () => {}), closing)
    })
    // Connections are kept open for good, without a Keep-Alive header.
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
