// Order of a request.
//
// 1. A request id. Everything that follows runs in the request's own fiber, so that what is set in it need not be restored.
// 2. The route, by method and path. Its family decides on the form of failures, also of those without a route.
// 3. The role: a process answers the routes of its roles only. Then OPTIONS, and methods that the path does not have.
// 4. The count of requests in flight, which load shedding goes by; WebSockets are not counted.
// 5. The handler, interruptible: a client that leaves ends its work. Its failures and defects become envelopes.
// 6. The response with its request id. A stream that breaks off after its headers can only be logged.

import { type HttpApp, HttpBody, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "@effect/platform"
import type { Engine } from "@trunkline/engine"
import {
  type Envelope,
  envelope,
  type Failure,
  type Family,
  internalEnvelope,
  MethodNotAllowed,
  NotServedHere,
  RouteNotFound
} from "@trunkline/errors"
import {
  BusinessTime,
  CurrentRequestId,
  CurrentStoreWaitBudget,
  describeCause,
  isTraced,
  noteSpan,
  StoreWaitBudget,
  withSpan
} from "@trunkline/kernel"
import { Cause, Context, Effect, type Fiber, FiberRef, FiberRefs, HashMap, Option, Scope, Stream, Tracer } from "effect"
import { pathOf, unroutedFamily } from "./api/Paths.js"
import { MatchedRoute, methodsOf, methodsOfShadowing } from "./api/RouteTable.js"
import { failureOf } from "./Failures.js"
import { frameReaderOf } from "./response/FrameReader.js"
import { SocketUpgrade } from "./response/Subscription.js"
import type { HandlerServices } from "./RouteHandlers.js"
import type { FindRoute, Route } from "./Routes.js"

/** Failure for a request that matches no route: 405 when the path has routes for other methods, otherwise 404. */
const routingFailure = (method: string, path: string): Failure => {
  const allow = methodsOf(path)
  return allow.length === 0 || allow.includes(method) ? new RouteNotFound() : new MethodNotAllowed({ allow })
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

/** Turns a cause into the envelope of its family. Unexpected defects are logged and become a bare 500. */
const failureResponse = (cause: Cause.Cause<unknown>, family: Family, requestId: string) =>
  Cause.isInterruptedOnly(cause)
    ? Effect.failCause(Cause.flatMap(cause, () => Cause.empty))
    : Option.match(failureOf(cause), {
      onSome: (failure) => Effect.succeed(toResponse(envelope(family, failure, requestId))),
      onNone: () =>
        Effect.as(
          Effect.logError("A request failed unexpectedly", describeCause(cause)),
          toResponse(internalEnvelope(family, requestId))
        )
    })

/**
 * Logs a streamed response that breaks off: its headers were sent, so it can no longer report the failure. Streams of
 * frames report theirs.
 */
const withStreamLogging = (response: HttpServerResponse.HttpServerResponse, requestId: string) => {
  if (response.body._tag !== "Stream" || frameReaderOf(response.body.stream) !== undefined) return response
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

type RequestFiber = Fiber.RuntimeFiber<unknown, unknown>

/**
 * Sets the request id for logs and envelopes, and the time budget for stores that all calls of the request share, and
 * turns spans off that nothing reads. Each request runs in its own fiber, so nothing has to be restored.
 */
const initializeFiber = (fiber: RequestFiber, requestId: string): Effect.Effect<void> =>
  Effect.updateFiberRefs((id, refs) => {
    const annotations = HashMap.set(fiber.getFiberRef(FiberRef.currentLogAnnotations), "request_id", requestId)
    return FiberRefs.updateManyAs(refs, {
      entries: [
        [CurrentRequestId, [[id, requestId]]],
        [CurrentStoreWaitBudget, [[id, new StoreWaitBudget()]]],
        [FiberRef.currentLogAnnotations, [[id, annotations]]],
        [FiberRef.currentTracerEnabled, [[id, isTraced(fiber)]]]
      ]
    })
  })

/** True unless the ids are zeros, which stand for none. */
const isSpan = ({ spanId, traceId }: Tracer.ExternalSpan): boolean => !/^0+$/u.test(traceId) && !/^0+$/u.test(spanId)

/**
 * Runs the work for a request in a span, by the conventions of OpenTelemetry for HTTP servers; it continues the trace of the
 * client, as its header `traceparent` says. Without a tracer of the embedder, neither it nor its parts have spans.
 */
const withRequestSpan = <E>(
  fiber: RequestFiber,
  work: Effect.Effect<HttpServerResponse.HttpServerResponse, E>,
  { request: { headers, method }, requestId, route }: {
    readonly request: HttpServerRequest.HttpServerRequest
    readonly requestId: string
    readonly route: Route | undefined
  }
): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
  if (!isTraced(fiber)) return work
  const spanWork = Effect.tap(work, ({ status }) =>
    noteSpan(() => ({
      "http.response.status_code": status,
      ...(status >= 500 && { "error.type": String(status) })
    })))
  return withSpan(route === undefined ? method : `${method} ${route.info.path}`, () => ({
    kind: "server",
    ...Option.match(Option.filter(HttpTraceContext.w3c(headers), isSpan), {
      onNone: () => ({ root: true }),
      onSome: (parent) => ({ parent })
    }),
    attributes: {
      "http.request.method": method,
      "trunkline.request_id": requestId,
      ...(route !== undefined && { "http.route": route.info.path })
    }
  }))(spanWork)
}

type RequestServices = HttpServerRequest.HttpServerRequest | Scope.Scope

/**
 * Application over a table of routes: assigns the request id, finds the route, counts requests in flight (except
 * WebSockets, which last as long as their clients), and encodes failures. A process answers only the routes of its
 * roles, and those of every process. OPTIONS, and wrong methods for paths that the
 * router would take for a path parameter, are answered here. Its span and logs contain no keys, queries or bodies.
 */
export const makeBoundary = (
  { ids, load, roles, time }: Engine["Type"],
  findRoute: FindRoute
): HttpApp.Default<never, Scope.Scope> => {
  const dispatch = (
    context: Context.Context<RequestServices>,
    match: ReturnType<FindRoute>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> => {
    const request = Context.get(context, HttpServerRequest.HttpServerRequest)
    const { method, url } = request
    const neededText = match === undefined ? "api" : match.route.info.role
    if (neededText !== null && !roles.includes(neededText)) {
      return Effect.fail(new NotServedHere({ needed: neededText, roles }))
    }
    if (match === undefined || match.route.isShadowed) {
      const path = pathOf(url)
      const allow = method === "OPTIONS" ? methodsOf(path) : methodsOfShadowing(path)
      if (method === "OPTIONS" && allow.length > 0) return Effect.succeed(optionsResponse(allow))
      if (allow.length > 0 && !allow.includes(method)) return Effect.fail(new MethodNotAllowed({ allow }))
      if (match === undefined) return Effect.fail(routingFailure(method, path))
    }
    const { params, query, route } = match
    const services = new Map<string, unknown>(context.unsafeMap)
    services.set(BusinessTime.key, time).set(MatchedRoute.key, route.info)
    const response = route.respond({ request, params, query, services, scope: Context.get(context, Scope.Scope) })
    return Effect.mapInputContext(response, ({ unsafeMap }: Context.Context<never>) => {
      // The span of the request, which began after the context was taken.
      const span = unsafeMap.get(Tracer.ParentSpan.key)
      if (span !== undefined) services.set(Tracer.ParentSpan.key, span)
      return Context.unsafeMake<HandlerServices>(services)
    })
  }

  const respond = (fiber: RequestFiber, context: Context.Context<RequestServices>, requestId: string) => {
    const request = Context.get(context, HttpServerRequest.HttpServerRequest)
    const { method, url } = request
    const route = findRoute(method, url)
    const family = route?.route.failures ?? unroutedFamily(pathOf(url))
    const reply = Effect.interruptible(dispatch(context, route))
    const trackedReply = Option.isSome(Context.get(context, SocketUpgrade)) ? reply : load.track(reply)
    const answer = Effect.catchAllCause(trackedReply, (cause) => failureResponse(cause, family, requestId))
    return Effect.map(
      Effect.zipRight(
        initializeFiber(fiber, requestId),
        withRequestSpan(fiber, answer, { request, requestId, route: route?.route })
      ),
      (response) => HttpServerResponse.setHeader(withStreamLogging(response, requestId), "x-request-id", requestId)
    )
  }

  return Effect.flatMap(
    ids.requestId,
    (requestId) =>
      Effect.contextWithEffect((context: Context.Context<RequestServices>) =>
        Effect.withFiberRuntime<HttpServerResponse.HttpServerResponse>((fiber) => respond(fiber, context, requestId))
      )
  )
}
