import { BadRequest, ModelUnavailable } from "@trunkline/errors"
import { suspendSource } from "@trunkline/kernel"
import { Array, Effect, identity, Order, Stream } from "effect"
import type { Model, ModelFailure } from "../LanguageModel.js"
import type { ModelRequest } from "../ModelRequest.js"
import { bufferWhole, catchFailure, type DeltaStream, withHooks } from "./DeltaStream.js"
import { retryAfterMillis } from "./Retries.js"

/** One of several ways to get an answer. */
export interface FallbackRoute {
  /** Name for spans and telemetry; clients of the API never see it. */
  readonly name: string
  readonly model: Model
  /** Rewrites the request for this route. Default: unchanged. */
  readonly requestFor?: (request: ModelRequest) => ModelRequest
  /** Checks whether the route can serve a request; others skip the route. Default: every request. */
  readonly accepts?: (request: ModelRequest) => boolean
}

/** A route that failed. */
export interface FailedRoute {
  readonly route: string
  readonly failure: ModelFailure
}

/** The route that answers, and those that failed before it. */
export interface Served {
  readonly route: string
  readonly failedRoutes: ReadonlyArray<FailedRoute>
}

/** Settings of fallbacks. */
export interface FallbackOptions {
  /**
   * Point from which a stream stays with its route. `firstDelta`: from its first delta on; later failures pass through.
   * `complete`: the answer is buffered until it is complete, so that a route that fails half-way can still be replaced.
   * The price is that the first delta arrives when the last one would have, which takes seconds with long answers.
   */
  readonly commitPoint: "firstDelta" | "complete"
  /**
   * Upper bound of the buffer with `complete`, in UTF-16 units plus 8 per delta; default 1,000,000, some 80,000 tokens.
   * An answer that grows past it is emitted from there on, and stays with its route.
   */
  readonly maxBuffered?: number
  /** Called once per answer, before its first delta is emitted. */
  readonly onServed?: (served: Served) => Effect.Effect<void>
}

/** Failures from the most informative for a client to the least. */
const mostInformativeFirst: ReadonlyArray<ModelFailure["_tag"]> = [
  "BadRequest",
  "ModelRateLimited",
  "ModelTimedOut",
  "ModelFailed",
  "ModelUnavailable"
]

const byInformativeness: Order.Order<ModelFailure> = Order.combine(
  Order.mapInput(Order.number, ({ _tag }) => mostInformativeFirst.indexOf(_tag)),
  Order.mapInput(Order.number, (failure) => retryAfterMillis(failure) ?? Infinity)
)

const noRoute = (routes: ReadonlyArray<FallbackRoute>): ModelFailure =>
  routes.length === 0
    ? new ModelUnavailable({ message: "No model is set up for this" })
    : new BadRequest({ message: "None of the model's routes can take such a request", param: null })

/** Progress of the search for a route that answers. */
interface Search {
  readonly request: ModelRequest
  readonly remainingRoutes: ReadonlyArray<FallbackRoute>
  readonly failedRoutes: ReadonlyArray<FailedRoute>
}

/** Builds the request for a route. It keeps its origin and says whether a fallback is behind the route. */
const requestOf = (
  { remainingRoutes: remainingTime, request }: Search,
  { requestFor = identity }: FallbackRoute
): ModelRequest => ({
  ...requestFor(request),
  ...(request.origin !== undefined && { origin: request.origin }),
  ...(remainingTime.length > 1 && { hasFallback: true })
})

/** Continues without the route that failed. */
const next = (search: Search, failedRoute: FailedRoute): Search => ({
  ...search,
  remainingRoutes: search.remainingRoutes.slice(1),
  failedRoutes: [...search.failedRoutes, failedRoute]
})

const isFinal = ({ _tag }: ModelFailure): boolean => _tag === "BadRequest"

/**
 * Tries one route after the other until one answers, each at most once. A `BadRequest` is the client's fault and ends
 * the search; any other failure moves on to the next route. A stream that ends without `Finish` counts as failed.
 * Deltas and usage come from the route that answers only; its name is the `model.route` attribute of the current span.
 *
 * If all routes fail, the failure is the most informative one: `BadRequest`, then `ModelRateLimited`, `ModelTimedOut`,
 * `ModelFailed`, `ModelUnavailable`; of several the one with the shortest `retryAfter`, or the earliest. Without any
 * route it is `ModelUnavailable`; if no route accepts the request, `BadRequest`.
 *
 * The model of a route is usually `withCircuitBreakers(withQueue(withRetries(withTimeouts(model))))`. Its request has
 * `hasFallback` if another route accepts it as well, so that `withRetries` does not wait as long as a provider asks.
 *
 * @example
 * const model = withFallbacks([{ name: "primary", model: primary }, { name: "backup", model: backup }], {
 *   commitPoint: "firstDelta"
 * })
 */
export const withFallbacks = (
  routes: ReadonlyArray<FallbackRoute>,
  { commitPoint, maxBuffered: holds = 1_000_000, onServed = () => Effect.void }: FallbackOptions
): Model => {
  const begin = (request: ModelRequest): Search => ({
    request,
    remainingRoutes: routes.filter(({ accepts = () => true }) => accepts(request)),
    failedRoutes: []
  })

  const failureOf = (failedRoutes: ReadonlyArray<FailedRoute>): ModelFailure =>
    Array.isNonEmptyReadonlyArray(failedRoutes)
      ? Array.min(Array.map(failedRoutes, ({ failure }) => failure), byInformativeness)
      : noRoute(routes)

  const serve = ({ failedRoutes }: Search, { name }: FallbackRoute) =>
    Effect.zipRight(Effect.annotateCurrentSpan("model.route", name), onServed({ route: name, failedRoutes }))

  const generate = (search: Search): ReturnType<Model["generate"]> => {
    const [route] = search.remainingRoutes
    if (route === undefined) return Effect.fail(failureOf(search.failedRoutes))
    return Effect.suspend(() => route.model.generate(requestOf(search, route))).pipe(
      Effect.tap(serve(search, route)),
      Effect.catchAll((failure) => isFinal(failure) ? failure : generate(next(search, { route: route.name, failure })))
    )
  }

  const stream = (search: Search): DeltaStream =>
    suspendSource(() => {
      const [route] = search.remainingRoutes
      if (route === undefined) return Stream.fail(failureOf(search.failedRoutes))
      let hasEmitted = false
      const onFirst = () => {
        hasEmitted = true
        return serve(search, route)
      }
      const answer = route.model.stream(requestOf(search, route))
      return catchFailure(
        withHooks(commitPoint === "complete" ? bufferWhole(withHooks(answer), holds) : answer, { onFirst }),
        (failure) =>
          hasEmitted || isFinal(failure) ? Stream.fail(failure) : stream(next(search, { route: route.name, failure }))
      )
    })

  return {
    generate: (request) => Effect.suspend(() => generate(begin(request))),
    stream: (request) => suspendSource(() => stream(begin(request)))
  }
}
