import { type HttpApp, HttpBody, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeHttpServerRequest } from "@effect/platform-node"
import {
  isApiUrl,
  isSubscription,
  mountAt,
  normalizePrefix,
  type ServerSocket,
  SocketUpgrade,
  subscriptionCloseTimeout
} from "@trunkline/http-api"
import { Effect, Option, type Scope, Stream } from "effect"
import { type IncomingMessage, ServerResponse } from "node:http"
import { endCourtesy } from "./Courtesy.js"
import { makeInFlight } from "./InFlight.js"
import { isAnswering, readmit } from "./Readmit.js"
import { makeSockets } from "./Sockets.js"
import { untouched } from "./StandIn.js"

/** The path prefix that the API lies under, such as `/voice`; a function where it depends on the request. */
export type Prefix = string | ((request: IncomingMessage) => string)

/** What `node:http` needs of an application. */
export interface Listener {
  readonly request: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrade: (request: IncomingMessage, head: Buffer) => boolean
  readonly handles: (request: IncomingMessage) => boolean
  /**
   * Ends subscriptions and WebSockets, and completes when all answers are over; cuts those that outlast the timeout.
   * What comes later is answered 503.
   */
  readonly finish: (timeout: number) => Promise<void>
}

/** What is known of a request beside what it says. */
interface Circumstances {
  readonly prefix: string
  readonly upgrade: Option.Option<Effect.Effect<ServerSocket, never, Scope.Scope>>
}

const isWebSocket = ({ headers, method }: IncomingMessage) =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket"

/** A response over a socket that Node's parser has let go of. */
const responseOver = (request: IncomingMessage) => {
  const { socket } = request
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  socket.on("error", () => socket.destroy())
  socket.on("drain", () => response.emit("drain"))
  response.once("finish", () => socket.destroySoon())
  return response
}

/** An answer that was cut reports what is still written to it as an error, which ends Node if nobody hears it. */
const unheard = () => undefined

/** Leaves the socket to a WebSocket: what is still written to the response goes nowhere. */
const abandon = (response: ServerResponse, { socket }: IncomingMessage) => {
  response.detachSocket(socket)
  response.removeAllListeners("finish")
  response.end()
  response.emit("close")
}

/** How an application is served. */
export interface ListenerOptions {
  /** Default none: the paths begin at the root. */
  readonly prefix?: Prefix
  /** How long a client may read nothing of what is streamed to it, in milliseconds, before it is cut; default two minutes. */
  readonly readingPatience?: number
}

/** Serves an application from `node:http`. */
export const makeListener = (
  app: HttpApp.Default,
  { prefix = "", readingPatience = 120_000 }: ListenerOptions = {}
): Effect.Effect<Listener> =>
  Effect.gen(function*() {
    const closing = yield* Effect.makeLatch()
    const inFlight = makeInFlight()
    const sockets = makeSockets()
    const known = new WeakMap<IncomingMessage, Circumstances>()
    const fixed = typeof prefix === "string" ? normalizePrefix(prefix) : ""
    const prefixOf = typeof prefix === "string" ? () => fixed : prefix
    let isStopped = false

    /** A stream that breaks is cut: to end it would pass what there is of it for the whole. */
    const whole = (
      request: HttpServerRequest.HttpServerRequest,
      response: HttpServerResponse.HttpServerResponse
    ) => {
      if (response.body._tag !== "Stream") return Effect.succeed(response)
      const { contentLength, contentType, stream } = response.body
      const target = NodeHttpServerRequest.toServerResponse(request)
      const cut = Effect.sync(() => target.destroy())
      target.setTimeout(readingPatience, () => target.destroy())
      // Before Node gives the connection the timeout that it has between two requests.
      target.prependOnceListener("finish", () => target.socket?.setTimeout(0))
      const cuttable = Stream.onError(stream, () => cut)
      const bodied = (body: Stream.Stream<Uint8Array, unknown>) =>
        HttpServerResponse.setBody(response, HttpBody.stream(body, contentType, contentLength))
      if (!isSubscription(request, contentType)) return Effect.succeed(bodied(cuttable))
      return Effect.forkScoped(
        Effect.interruptible(Effect.zipRight(closing.await, Effect.delay(cut, subscriptionCloseTimeout)))
      ).pipe(
        Effect.as(bodied(Stream.interruptWhen(cuttable, closing.await)))
      )
    }

    const knownOf = (request: HttpServerRequest.HttpServerRequest): Circumstances =>
      known.get(NodeHttpServerRequest.toIncomingMessage(request)) ?? { prefix: "", upgrade: Option.none() }

    const served = Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) =>
        Effect.flatMap(app, (response) => whole(request, response)).pipe(
          Effect.provideService(SocketUpgrade, knownOf(request).upgrade)
        )
    )

    const handle = yield* NodeHttpServer.makeHandler(mountAt(served, (request) => knownOf(request).prefix))

    const answer = (
      request: IncomingMessage,
      response: ServerResponse,
      upgrade: Circumstances["upgrade"] = Option.none()
    ) => {
      if (response.closed) return
      if (isStopped) return void response.writeHead(503).end()
      const source = untouched(request)
      known.set(source, { prefix: prefixOf(request), upgrade })
      inFlight.add(response)
      response.once("finish", () => endCourtesy(request))
      response.on("error", unheard)
      handle(source, response)
    }

    const isOurs = (request: IncomingMessage) => isApiUrl(prefixOf(request), request.url ?? "")

    return {
      request: (request, response) => answer(request, response),
      upgrade: (request, head) => {
        if (!isOurs(request)) return false
        if (isAnswering(request)) {
          request.socket.destroy()
          return true
        }
        if (!isWebSocket(request)) {
          readmit(request, head)
          return true
        }
        const response = responseOver(request)
        const upgrade = Effect.suspend(() => {
          abandon(response, request)
          return sockets.upgrade(request, head)
        })
        answer(request, response, Option.some(upgrade))
        return true
      },
      handles: isOurs,
      finish: async (timeout) => {
        closing.unsafeOpen()
        await Promise.all([sockets.close(), inFlight.finish(timeout)])
        isStopped = true
      }
    }
  })
