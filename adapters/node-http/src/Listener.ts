import { type HttpApp, HttpServerError, HttpServerRequest } from "@effect/platform"
import {
  type BodyPace,
  isApiUrl,
  mountAt,
  normalizePrefix,
  type ServerSocket,
  SocketUpgrade
} from "@trunkline/http-api"
import { Context, Effect, Exit, Option, Runtime, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { makeInFlight } from "./InFlight.js"
import { endResponse, hasBody } from "./Linger.js"
import { NodeRequest } from "./NodeRequest.js"
import { makePacing } from "./Pacing.js"
import { makeSockets } from "./Sockets.js"
import { toUnreadRequest } from "./UnreadRequest.js"
import {
  detachResponse,
  hasResponseInFlight,
  isWebSocketRequest,
  makeUpgradeResponse,
  retryWithoutUpgrade
} from "./Upgrade.js"
import { makeWriter } from "./Writer.js"

/** Path prefix of the API, such as `/voice`; a function when it depends on the request. */
export type Prefix = string | ((request: IncomingMessage) => string)

/** Options of a request listener. */
export interface ListenerOptions {
  /** Path prefix of the API; none by default. */
  readonly prefix?: Prefix
  /** Time after which a client that does not read a streamed response is cut, in milliseconds; two minutes by default. */
  readonly readTimeout?: number
  /** Lowest pace of the body of a request; no pause of 30 seconds, and 500 bytes a second, by default. */
  readonly bodyPace?: BodyPace
}

/** An application as `node:http` uses it. */
export interface HttpListener {
  readonly request: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrade: (request: IncomingMessage, head: Buffer) => boolean
  readonly handles: (request: IncomingMessage) => boolean
  /**
   * Ends subscriptions and WebSockets, and completes when no response is in flight; cuts those that exceed the timeout.
   * Later requests are answered with 503.
   */
  readonly finish: (timeout: number) => Promise<void>
}

type Upgrade = Option.Option<Effect.Effect<ServerSocket, never, Scope.Scope>>

/** Ignores the errors of writes to a response that was cut; without a listener they would end the process. */
const ignoreError = () => undefined

/** Makes a request listener for an application. */
export const makeListener = (
  app: HttpApp.Default<never, Scope.Scope>,
  { bodyPace = {}, prefix = "", readTimeout = 120_000 }: ListenerOptions = {}
): Effect.Effect<HttpListener> =>
  Effect.map(Effect.runtime<never>(), ({ fiberRefs, runtimeFlags }) => {
    const closing = Effect.unsafeMakeLatch()
    const inFlight = makeInFlight()
    const sockets = makeSockets()
    const fixedPrefix = typeof prefix === "string" ? normalizePrefix(prefix) : ""
    const prefixOf = typeof prefix === "string" ? () => fixedPrefix : prefix
    const pace = makePacing()
    const write = makeWriter({ closing: closing.await, readTimeout })
    let isStopped = false

    /** Runs the application in one fiber, which has ended already when nothing had to wait. */
    const run = (request: IncomingMessage, response: ServerResponse, upgrade: Upgrade) => {
      const pathPrefix = prefixOf(request)
      const handler = pathPrefix === "" ? app : mountAt(app, () => pathPrefix)
      // Made and closed here, since `Effect.scoped` takes as long as some checks of a request.
      const scope = Effect.runSync(Scope.make())
      const context = Context.make(HttpServerRequest.HttpServerRequest, new NodeRequest(request, bodyPace)).pipe(
        Context.add(SocketUpgrade, upgrade),
        Context.add(Scope.Scope, scope)
      )
      const fiber = Runtime.runFork(Runtime.make({ context, fiberRefs, runtimeFlags }))(
        Effect.onExit(
          Effect.flatMap(handler, (answer) => write(request, response, answer)),
          (exit) => Scope.close(scope, exit)
        )
      )
      if (fiber.unsafePoll() === null) {
        response.once("close", () => {
          if (!response.writableEnded) fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
        })
      }
      fiber.addObserver((exit) => {
        if (Exit.isFailure(exit) && !response.headersSent) endResponse(request, response.writeHead(500))
      })
    }

    const respond = (
      request: IncomingMessage,
      response: ServerResponse,
      upgrade: Upgrade = Option.none()
    ) => {
      if (response.closed) return
      if (hasBody(request) && !request.complete) pace(request)
      response.on("error", ignoreError)
      if (isStopped) return endResponse(request, response.writeHead(503))
      inFlight.add(response)
      run(toUnreadRequest(request), response, upgrade)
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
