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
import { Chunk, Effect, Option, type Scope, Stream } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { limitDrain, makeInFlight } from "./InFlight.js"
import { makeSockets } from "./Sockets.js"
import { toUnreadRequest } from "./UnreadRequest.js"
import {
  detachResponse,
  hasResponseInFlight,
  isWebSocketRequest,
  makeUpgradeResponse,
  retryWithoutUpgrade
} from "./Upgrade.js"

/** Path prefix of the API, such as `/voice`; a function when it depends on the request. */
export type Prefix = string | ((request: IncomingMessage) => string)

/** Options of a request listener. */
export interface ListenerOptions {
  /** Path prefix of the API; none by default. */
  readonly prefix?: Prefix
  /** Time after which a client that does not read a streamed response is cut, in milliseconds; two minutes by default. */
  readonly readTimeout?: number
}

/** An application as `node:http` uses it. */
export interface Listener {
  readonly request: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrade: (request: IncomingMessage, head: Buffer) => boolean
  readonly handles: (request: IncomingMessage) => boolean
  /**
   * Ends subscriptions and WebSockets, and completes when no response is in flight; cuts those that exceed the timeout.
   * Later requests are answered with 503.
   */
  readonly finish: (timeout: number) => Promise<void>
}

/** Context of a request that the application gets. */
interface RequestContext {
  readonly prefix: string
  readonly upgrade: Option.Option<Effect.Effect<ServerSocket, never, Scope.Scope>>
}

/** Joins frames that are ready together, since every write has its own cost. */
const joinFrames = (frames: Chunk.Chunk<Uint8Array>): Chunk.Chunk<Uint8Array> =>
  frames.length > 1 ? Chunk.of(Buffer.concat(Chunk.toReadonlyArray(frames))) : frames

/** Ignores the errors of writes to a response that was cut; without a listener they would end the process. */
const ignoreError = () => undefined

/** Makes a request listener for an application. */
export const makeListener = (
  app: HttpApp.Default,
  { prefix = "", readTimeout = 120_000 }: ListenerOptions = {}
): Effect.Effect<Listener> =>
  Effect.gen(function*() {
    const closing = yield* Effect.makeLatch()
    const inFlight = makeInFlight()
    const sockets = makeSockets()
    const contexts = new WeakMap<IncomingMessage, RequestContext>()
    const fixedPrefix = typeof prefix === "string" ? normalizePrefix(prefix) : ""
    const prefixOf = typeof prefix === "string" ? () => fixedPrefix : prefix
    let isStopped = false

    /** Cuts the connection when a stream fails: ending the response would make an incomplete body look complete. */
    const cutOnFailure = (
      request: HttpServerRequest.HttpServerRequest,
      response: HttpServerResponse.HttpServerResponse
    ) => {
      if (response.body._tag !== "Stream") return Effect.succeed(response)
      const { contentLength, contentType, stream } = response.body
      const target = NodeHttpServerRequest.toServerResponse(request)
      const cut = Effect.sync(() => target.destroy())
      target.setTimeout(readTimeout, () => target.destroy())
      // Runs before Node sets the keep-alive timeout of the connection.
      target.prependOnceListener("finish", () => target.socket?.setTimeout(0))
      const cuttable = Stream.onError(
        contentType?.startsWith("text/event-stream") ? Stream.mapChunks(stream, joinFrames) : stream,
        () => cut
      )
      const withBody = (body: Stream.Stream<Uint8Array, unknown>) =>
        HttpServerResponse.setBody(response, HttpBody.stream(body, contentType, contentLength))
      if (!isSubscription(request, contentType)) return Effect.succeed(withBody(cuttable))
      return Effect.forkScoped(
        Effect.interruptible(Effect.zipRight(closing.await, Effect.delay(cut, subscriptionCloseTimeout)))
      ).pipe(
        Effect.as(withBody(Stream.interruptWhen(cuttable, closing.await)))
      )
    }

    const contextOf = (request: HttpServerRequest.HttpServerRequest): RequestContext =>
      contexts.get(NodeHttpServerRequest.toIncomingMessage(request)) ?? { prefix: "", upgrade: Option.none() }

    const handler = Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) =>
        Effect.flatMap(app, (response) => cutOnFailure(request, response)).pipe(
          Effect.provideService(SocketUpgrade, contextOf(request).upgrade)
        )
    )

    const handle = yield* NodeHttpServer.makeHandler(mountAt(handler, (request) => contextOf(request).prefix))

    const respond = (
      request: IncomingMessage,
      response: ServerResponse,
      upgrade: RequestContext["upgrade"] = Option.none()
    ) => {
      if (response.closed) return
      if (isStopped) return void response.writeHead(503).end()
      const source = toUnreadRequest(request)
      contexts.set(source, { prefix: prefixOf(request), upgrade })
      inFlight.add(response)
      response.once("finish", () => limitDrain(request))
      response.on("error", ignoreError)
      handle(source, response)
    }

    const handles = (request: IncomingMessage) => isApiUrl(prefixOf(request), request.url ?? "")

    return {
      request: (request, response) => respond(request, response),
      upgrade: (request, head) => {
        if (!handles(request)) return false
        if (hasResponseInFlight(request)) {
          request.socket.destroy()
          return true
        }
        if (!isWebSocketRequest(request)) {
          retryWithoutUpgrade(request, head)
          return true
        }
        const response = makeUpgradeResponse(request)
        const upgrade = Effect.suspend(() => {
          detachResponse(response, request)
          return sockets.upgrade(request, head)
        })
        respond(request, response, Option.some(upgrade))
        return true
      },
      handles,
      finish: async (timeout) => {
        closing.unsafeOpen()
        await Promise.all([sockets.close(), inFlight.finish(timeout)])
        isStopped = true
      }
    }
  })
