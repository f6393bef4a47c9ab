import {
  HttpApiBuilder,
  type HttpApp,
  HttpBody,
  HttpMethod,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Engine } from "@trunkline/engine"
import {
  type Envelope,
  envelope,
  type Failure,
  internalEnvelope,
  mainRules,
  MethodNotAllowed,
  RouteNotFound,
  Unavailable
} from "@trunkline/errors"
import { CurrentRequestId, CurrentStoreWaitBudget, describeCause, StoreBusy, StoreWaitBudget } from "@trunkline/kernel"
import { Array, Cause, Effect, FiberRef, HashMap, Option, Predicate, type Scope, Stream } from "effect"
import { familyOf, pathOf } from "./Paths.js"
import { withJsonBody } from "./request/JsonBody.js"
import { RejectedRequest, rejectRequest } from "./request/RequestValidation.js"
import { SocketUpgrade } from "./response/Subscription.js"
import { methodsOf, methodsOfShadowing } from "./RouteTable.js"

const isFailure = (error: unknown): error is Failure =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) && Object.hasOwn(mainRules, error._tag) &&
  !HttpServerError.isServerError(error)

/** Failure for a request that matches no route: 405 when the path has routes for other methods, otherwise 404. */
const routingFailure = ({ method, url }: HttpServerRequest.HttpServerRequest): Failure => {
  const allow = methodsOf(pathOf(url))
  return allow.length === 0 || allow.includes(method) ? new RouteNotFound() : new MethodNotAllowed({ allow })
}

const storeUnavailable = ({ retryAfter }: StoreBusy): Failure =>
  new Unavailable({ message: "The data store is not available at the moment. Try again.", retryAfter })

/** Failure that a known defect stands for. */
const failureOfDefect = (defect: unknown): Option.Option<Failure> =>
  defect instanceof RejectedRequest
    ? Option.some(defect.failure)
    : defect instanceof StoreBusy
    ? Option.some(storeUnavailable(defect))
    : Option.none()

/** Failure that a cause comes down to; none for unexpected defects. */
const failureOf = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest
): Option.Option<Failure> => {
  const rejected = Array.findFirst(Cause.defects(cause), failureOfDefect)
  if (Option.isSome(rejected)) return rejected
  return Option.flatMap(Cause.failureOption(cause), (error) =>
    isFailure(error)
      ? Option.some(error)
      : HttpServerError.isServerError(error) && error._tag === "RouteNotFound"
      ? Option.some(routingFailure(request))
      : Option.none())
}

/** Encodes the envelope of a failure. */
const toResponse = ({ allow, body, retryAfterSeconds, status }: Envelope): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.unsafeJson(body, {
    status,
    headers: {
      ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
      ...(allow !== undefined && { allow: allow.join(", ") })
    }
  })

/** Response to OPTIONS: the methods of the path. It needs no key. */
const optionsResponse = (allow: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 204, headers: { allow: allow.join(", ") } })

/** Turns every failure into the envelope of its family. Unexpected defects are logged and become a bare 500. */
const withErrorEnvelopes = <R>(
  app: HttpApp.Default<never, R>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
): HttpApp.Default<never, R> =>
  Effect.catchAllCause(app, (cause) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    const family = familyOf(pathOf(request.url)).failures
    return Option.match(failureOf(cause, request), {
      onSome: (failure) => Effect.succeed(toResponse(envelope(family, failure, requestId))),
      onNone: () =>
        Effect.as(
          Effect.logError("A request failed unexpectedly", describeCause(cause)),
          toResponse(internalEnvelope(family, requestId))
        )
    })
  })

/**
 * Runs the application with the API's own JSON body parser. OPTIONS, and wrong methods for paths that the router would
 * take for a path parameter, are answered here.
 */
const dispatch = <R>(
  app: HttpApp.Default<never, R>,
  request: HttpServerRequest.HttpServerRequest
): HttpApp.Default<never, R | Scope.Scope> => {
  const path = pathOf(request.url)
  const allow = request.method === "OPTIONS" ? methodsOf(path) : methodsOfShadowing(path)
  if (request.method === "OPTIONS" && allow.length > 0) return Effect.succeed(optionsResponse(allow))
  if (allow.length > 0 && !allow.includes(request.method)) return rejectRequest(new MethodNotAllowed({ allow }))
  if (!HttpMethod.hasBody(request.method)) return app
  return Effect.flatMap(
    Effect.scope,
    (scope) => Effect.provideService(app, HttpServerRequest.HttpServerRequest, withJsonBody(request, scope))
  )
}

/** Logs a streamed response that breaks off: its headers were sent, so it can no longer report the failure. */
const withStreamLogging = (response: HttpServerResponse.HttpServerResponse, requestId: string) => {
  if (response.body._tag !== "Stream") return response
  const { contentLength, contentType, stream } = response.body
  const report = (cause: Cause.Cause<unknown>) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.void
      : Effect.annotateLogs(Effect.logError("A response stream failed", describeCause(cause)), "request_id", requestId)
  return HttpServerResponse.setBody(
    response,
    HttpBody.stream(Stream.onError(stream, report), contentType, contentLength)
  )
}

/**
 * Sets the request id for logs and envelopes, and the time budget for stores that all calls of the request share. Each
 * request runs in its own fiber, so nothing has to be restored.
 */
const initializeFiber = (requestId: string) =>
  FiberRef.set(CurrentRequestId, requestId).pipe(
    Effect.zipRight(FiberRef.set(CurrentStoreWaitBudget, new StoreWaitBudget())),
    Effect.zipRight(
      FiberRef.update(FiberRef.currentLogAnnotations, HashMap.set<string, unknown>("request_id", requestId))
    )
  )

/**
 * Middleware around every route: assigns the request id, counts requests in flight (except WebSockets, which last as
 * long as their clients), and encodes failures. Its span and logs contain no keys, queries or bodies.
 */
export const boundary = HttpApiBuilder.middleware(
  Effect.map(Engine, ({ ids, load }) => (app) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const requestId = yield* ids.requestId
      yield* initializeFiber(requestId)
      const isWebSocket = Option.isSome(yield* SocketUpgrade)
      const handled = dispatch(app, request)
      const response = yield* withErrorEnvelopes(isWebSocket ? handled : load.track(handled), request, requestId).pipe(
        Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
        Effect.withSpan(`http.server ${request.method}`, { kind: "server", captureStackTrace: false })
      )
      return HttpServerResponse.setHeader(withStreamLogging(response, requestId), "x-request-id", requestId)
    }))
)
