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
import { CurrentRequestId, CurrentStorePatience, describeCause, StoreBusy, StorePatience } from "@trunkline/kernel"
import { Array, Cause, Effect, FiberRef, HashMap, Option, Predicate, type Scope, Stream } from "effect"
import { familyOf, pathOf } from "./Families.js"
import { withJsonBody } from "./JsonBody.js"
import { refuse, Refused } from "./Refused.js"
import { methodsOf, methodsOfName } from "./RouteTable.js"
import { SocketUpgrade } from "./SocketUpgrade.js"

const isFailure = (error: unknown): error is Failure =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) && Object.hasOwn(mainRules, error._tag) &&
  !HttpServerError.isServerError(error)

/** What a path without this method, or without any route, is answered with. */
const unrouted = ({ method, url }: HttpServerRequest.HttpServerRequest): Failure => {
  const allow = methodsOf(pathOf(url))
  return allow.length === 0 || allow.includes(method) ? new RouteNotFound() : new MethodNotAllowed({ allow })
}

const outOfReach = ({ retryAfter }: StoreBusy): Failure =>
  new Unavailable({ message: "The data of the server cannot be reached at the moment. Try again.", retryAfter })

/** The failure that a defect stands for. */
const failureIn = (defect: unknown): Option.Option<Failure> =>
  defect instanceof Refused
    ? Option.some(defect.failure)
    : defect instanceof StoreBusy
    ? Option.some(outOfReach(defect))
    : Option.none()

/** The failure that a cause comes down to; none for what should not have happened. */
const failureOf = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest
): Option.Option<Failure> => {
  const carried = Array.findFirst(Cause.defects(cause), failureIn)
  if (Option.isSome(carried)) return carried
  return Option.flatMap(Cause.failureOption(cause), (error) =>
    isFailure(error)
      ? Option.some(error)
      : HttpServerError.isServerError(error) && error._tag === "RouteNotFound"
      ? Option.some(unrouted(request))
      : Option.none())
}

const written = ({ allow, body, retryAfterSeconds, status }: Envelope): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.unsafeJson(body, {
    status,
    headers: {
      ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
      ...(allow !== undefined && { allow: allow.join(", ") })
    }
  })

/** OPTIONS says what a path takes, and needs no key for it. */
const options = (allow: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 204, headers: { allow: allow.join(", ") } })

/** Every failure of every route becomes its envelope here; what should not have happened is logged, and a bare 500. */
const answered = <R>(
  app: HttpApp.Default<never, R>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
): HttpApp.Default<never, R> =>
  Effect.catchAllCause(app, (cause) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    const family = familyOf(pathOf(request.url)).failures
    return Option.match(failureOf(cause, request), {
      onSome: (failure) => Effect.succeed(written(envelope(family, failure, requestId))),
      onNone: () =>
        Effect.as(
          Effect.logError("A request failed unexpectedly", describeCause(cause)),
          written(internalEnvelope(family, requestId))
        )
    })
  })

/**
 * What answers a request: OPTIONS and a wrong method for a route's own name itself, everything else the application, with
 * its body read as the API reads it.
 */
const routed = <R>(
  app: HttpApp.Default<never, R>,
  request: HttpServerRequest.HttpServerRequest
): HttpApp.Default<never, R | Scope.Scope> => {
  const path = pathOf(request.url)
  const allow = request.method === "OPTIONS" ? methodsOf(path) : methodsOfName(path)
  if (request.method === "OPTIONS" && allow.length > 0) return Effect.succeed(options(allow))
  if (allow.length > 0 && !allow.includes(request.method)) return refuse(new MethodNotAllowed({ allow }))
  if (!HttpMethod.hasBody(request.method)) return app
  return Effect.flatMap(
    Effect.scope,
    (scope) => Effect.provideService(app, HttpServerRequest.HttpServerRequest, withJsonBody(request, scope))
  )
}

/** A streamed answer that breaks off has had its headers: what is left is to log it. */
const reported = (response: HttpServerResponse.HttpServerResponse, requestId: string) => {
  if (response.body._tag !== "Stream") return response
  const { contentLength, contentType, stream } = response.body
  const report = (cause: Cause.Cause<unknown>) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.void
      : Effect.annotateLogs(Effect.logError("An answer broke off", describeCause(cause)), "request_id", requestId)
  return HttpServerResponse.setBody(
    response,
    HttpBody.stream(Stream.onError(stream, report), contentType, contentLength)
  )
}

/**
 * The id of the request, for logs and envelopes, and its patience with stores, which all its calls share. A request has
 * a fiber of its own: nothing needs to be put back.
 */
const begun = (requestId: string) =>
  FiberRef.set(CurrentRequestId, requestId).pipe(
    Effect.zipRight(FiberRef.set(CurrentStorePatience, new StorePatience())),
    Effect.zipRight(
      FiberRef.update(FiberRef.currentLogAnnotations, HashMap.set<string, unknown>("request_id", requestId))
    )
  )

/**
 * What stands around every route: the request id, the count of requests in flight (WebSockets are none: they last as
 * long as their clients like), and the one place where failures become answers. Its span and its log say nothing of
 * keys, queries and bodies (decisions 18).
 */
export const boundary = HttpApiBuilder.middleware(
  Effect.map(Engine, ({ ids, load }) => (app) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const requestId = yield* ids.requestId
      yield* begun(requestId)
      const lasting = Option.isSome(yield* SocketUpgrade)
      const served = routed(app, request)
      const response = yield* answered(lasting ? served : load.track(served), request, requestId).pipe(
        Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
        Effect.withSpan(`http.server ${request.method}`, { kind: "server", captureStackTrace: false })
      )
      return HttpServerResponse.setHeader(reported(response, requestId), "x-request-id", requestId)
    }))
)
