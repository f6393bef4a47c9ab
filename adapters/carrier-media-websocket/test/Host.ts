import { AttemptId, ConnectionId, PhoneNumber, Transactions } from "@trunkline/kernel"
import {
  type AudioLine,
  CallEvents,
  CallEventStore,
  Connection,
  type DialPlan,
  type FrameSocket,
  type Leg,
  LegEnded,
  makeFrameInbox
} from "@trunkline/telephony"
import { Deferred, Duration, Effect, FiberId, Layer, Runtime } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"
import { type WebSocket, WebSocketServer } from "ws"
import { CarrierMediaWebsocket } from "../src/index.js"
import { type DoubleDialect, type DoubleOptions, startMediaDouble } from "../src/testing.js"

export const ourNumber = PhoneNumber.make("+911140000001")

export const events = CallEvents.layer().pipe(
  Layer.provide(Layer.merge(CallEventStore.layerMemory, Transactions.layerMemory)),
  Layer.orDie
)

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const socketOf = (ws: WebSocket): FrameSocket => {
  const inbox = makeFrameInbox()
  ws.on("message", (data) => inbox.add({ _tag: "Text", text: String(data) }))
  ws.on("close", (code) => inbox.add({ _tag: "Closed", code }))
  return {
    post: (frame) => ws.send(frame),
    waitingBytes: () => ws.bufferedAmount,
    hear: inbox.hear,
    close: (code, reason) => ws.close(code, reason)
  }
}

/** A dialect for tests: its double, and the options of a line. */
export interface Provider {
  readonly double: DoubleDialect
  readonly options: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, string>>
}

/** A provider's double, a host that it reaches, and the carrier between them. */
export const connect = (provider: Provider, doubleOptions: DoubleOptions = {}, options: object = {}) =>
  Effect.gen(function*() {
    const inbox = yield* CallEvents
    const run = Runtime.runPromise(yield* Effect.runtime())
    const carriers = yield* CarrierMediaWebsocket.make(provider.environment)
    const carrier = carriers.find((one) => one.provider === provider.double.provider)
    if (carrier === undefined) return yield* Effect.dieMessage("There is no such carrier")
    const double = yield* Effect.acquireRelease(
      Effect.promise(() => startMediaDouble(provider.double, doubleOptions)),
      (started) => Effect.promise(started.close)
    )
    const line: { connection?: Connection } = {}
    const requests: Array<string> = []
    const server = createServer(async (request, response) => {
      const { connection } = line
      const { method = "", url = "" } = request
      const body = await buffer(request)
      requests.push(url)
      if (connection === undefined || (method !== "GET" && method !== "POST")) return void response.end()
      const read = carrier.readEvents?.({
        method,
        url,
        headers: headersOf(request),
        body,
        connection,
        remoteAddress: "127.0.0.1"
      })
      if (read === undefined) return void response.end()
      const told = await run(Effect.either(read))
      if (told._tag === "Left") {
        return void response.writeHead(told.left.why === "signature" ? 403 : 422).end()
      }
      const { reply, ...rest } = "events" in told.right ? told.right : { events: told.right, reply: undefined }
      await run(inbox.receive(carrier.provider, rest.events))
      if (reply === undefined) return void response.writeHead(204).end()
      response.writeHead(reply.status ?? 200, { "content-type": reply.contentType }).end(reply.body)
    })
    const sockets = new WebSocketServer({ noServer: true })
    server.on("upgrade", (request, socket, head) => {
      const { connection } = line
      const url = request.url ?? ""
      const token = url.replace(/^.*\/streams\/([^?]*).*$/, "$1")
      if (connection === undefined) return void socket.destroy()
      const open = Effect.acquireRelease(
        Effect.async<WebSocket>((resume) => {
          sockets.handleUpgrade(request, socket, head, (ws) => resume(Effect.succeed(ws)))
        }),
        (ws) => Effect.sync(() => ws.close())
      )
      const accepted = carrier.acceptStream?.(
        { token, url, headers: headersOf(request), connection, remoteAddress: "127.0.0.1", seek: Effect.void },
        Effect.map(open, socketOf)
      )
      if (accepted !== undefined) void run(accepted)
    })
    yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        sockets.clients.forEach((ws) => ws.terminate())
        server.close()
        server.closeAllConnections()
      })
    )
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    const connection = new Connection({
      connection_id: ConnectionId.make("line-1"),
      provider: carrier.provider,
      phone_numbers: [ourNumber],
      options: {
        public_url: url,
        api_url: double.url,
        poll_seconds: 0.2,
        timeouts: { connect_seconds: 1, create_seconds: 2, request_seconds: 1, stream_seconds: 1 },
        ...provider.options,
        ...options
      }
    })
    line.connection = connection
    double.configure(`${url}/v1/connections/${connection.connection_id}`)
    return { carrier, connection, double, url, requests }
  })

let attempts = 0

/** A plan to dial a number. */
export const planFor = (
  connection: Connection,
  to = "+919876543210",
  ring: Duration.DurationInput = "40 seconds"
): DialPlan => ({
  attempt_id: AttemptId.make(`0199aaaa-0000-7000-8000-${String(++attempts).padStart(12, "0")}`),
  connection,
  from: ourNumber,
  to: PhoneNumber.make(to),
  ringTimeout: Duration.decode(ring)
})

/** A leg that speaks by a tone of 100 ms, and hears nothing but keys and the end of the call. */
export const toneLeg = (line: AudioLine): Effect.Effect<Leg> =>
  Effect.sync(() => {
    const over = Deferred.unsafeMake<never, LegEnded>(FiberId.none)
    const marks = new Map<number, Deferred.Deferred<void>>()
    let mark = 0
    line.hear((event) => {
      if (event._tag === "Ended") Deferred.unsafeDone(over, Effect.fail(new LegEnded({ by: event.by })))
      const reached = event._tag === "Reached" ? marks.get(event.mark) : undefined
      if (reached !== undefined) Deferred.unsafeDone(reached, Effect.void)
    })
    const ended = Deferred.await(over)
    return {
      say: ({ text }) =>
        Effect.suspend(() => {
          const reached = Deferred.unsafeMake<void>(FiberId.none)
          marks.set(++mark, reached)
          line.play(new Float32Array(line.rate / 10).fill(0.1), mark)
          return Effect.raceFirst(ended, Effect.as(Deferred.await(reached), { heard: text, interrupted: false }))
        }),
      listen: (silence) => Effect.raceFirst(ended, Effect.as(Effect.sleep(silence), { _tag: "Silent" as const })),
      hangUp: line.hangUp
    }
  })
