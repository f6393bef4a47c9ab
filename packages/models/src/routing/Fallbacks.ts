import { BadRequest, ModelUnavailable } from "@trunkline/errors"
import { Array, Effect, identity, Order, Stream } from "effect"
import type { Model, ModelFailure } from "../LanguageModel.js"
import type { ModelRequest } from "../ModelRequest.js"
import { bufferWhole, type DeltaStream, withHooks } from "./DeltaStream.js"
import { retryAfterMillis } from "./Retries.js"

/** One of several ways to get an answer. */
export interface FallbackRoute {
  /** For spans and telemetry; callers of the API never see it. */
  readonly name: string
  readonly model: Model
  /** What this route is asked, made of the caller's own request; default that request. */
  readonly requestFor?: (request: ModelRequest) => ModelRequest
  /** Whether the route can take a request of a caller; default every one. What it cannot take passes it by. */
  readonly accepts?: (request: ModelRequest) => boolean
}

/** A route that was asked in vain. */
export interface FailedRoute {
  readonly route: string
  readonly failure: ModelFailure
}

/** Which route answers, and which were asked before. */
export interface Served {
  readonly route: string
  readonly failed: ReadonlyArray<FailedRoute>
}

/** When a stream is one route's for good, and who is told. */
export interface FallbackOptions {
  /**
   * `firstDelta`: from its first piece on a stream is that route's, and its failure goes through. `complete`: nothing is
   * shown before the answer is whole, so that a route that fails half-way can still be replaced. The price is that the
   * first piece comes when the last one would have, which is seconds with long answers.
   */
  readonly commitPoint: "firstDelta" | "complete"
  /**
   * How much of an answer is held with `complete`, in UTF-16 units, 8 for each piece on top; default 1,000,000, some
   * 80,000 tokens. An answer that grows past it is shown from there on, and then stays with its route.
   */
  readonly maxBuffered?: number
  /** Told once for each answer, before its first piece is shown. */
  readonly onServed?: (served: Served) => Effect.Effect<void>
}

/** From the failure that tells a client most to the one that tells least. */
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

/** How far the search for an answer has come. */
interface Search {
  readonly request: ModelRequest
  readonly remaining: ReadonlyArray<FallbackRoute>
  readonly failed: ReadonlyArray<FailedRoute>
}

/** The request for a route, which keeps its origin and says whether another route is behind. */
const requestOf = ({ remaining: left, request }: Search, { requestFor = identity }: FallbackRoute): ModelRequest => ({
  ...requestFor(request),
  ...(request.origin !== undefined && { origin: request.origin }),
  ...(left.length > 1 && { hasFallback: true })
})

/** Without the route that failed. */
const next = (search: Search, failed: FailedRoute): Search => ({
  ...search,
  remaining: search.remaining.slice(1),
  failed: [...search.failed, failed]
})

const isFinal = ({ _tag }: ModelFailure): boolean => _tag === "BadRequest"

/**
 * Asks one route after the other until one answers; each at most once, and each with a request of its own. A
 * `BadRequest` is the caller's fault and ends the search; every other failure goes on to the next route. A stream that
 * ends without its `Finish` counts as failed. Pieces and usage are those of the route that answers, and of no other; its
 * name is the current span's `model.route`.
 *
 * When all have failed, the failure is the one that tells most: `BadRequest`, then `ModelRateLimited`, `ModelTimedOut`,
 * `ModelFailed`, `ModelUnavailable`; of several the one with the shortest wait, or the earliest. Without any route it is
 * `ModelUnavailable`; where no route takes the request, `BadRequest`.
 *
 * The model of a route is usually `breaking(queued(retrying(bounded(model))))`. Its request has `hasFallback` when another
 * route takes it as well, so that `retrying` does not wait for a provider that asks for it.
 */
export const withFallbacks = (
  routes: ReadonlyArray<FallbackRoute>,
  { commitPoint, maxBuffered: holds = 1_000_000, onServed = () => Effect.void }: FallbackOptions
): Model => {
  const begin = (request: ModelRequest): Search => ({
    request,
    remaining: routes.filter(({ accepts: takes = () => true }) => takes(request)),
    failed: []
  })

  const failureOf = (failed: ReadonlyArray<FailedRoute>): ModelFailure =>
    Array.isNonEmptyReadonlyArray(failed)
      ? Array.min(Array.map(failed, ({ failure }) => failure), byInformativeness)
      : noRoute(routes)

  const serve = ({ failed }: Search, { name }: FallbackRoute) =>
    Effect.zipRight(Effect.annotateCurrentSpan("model.route", name), onServed({ route: name, failed }))

  const generate = (search: Search): ReturnType<Model["generate"]> => {
    const [route] = search.remaining
    if (route === undefined) return Effect.fail(failureOf(search.failed))
    return Effect.suspend(() => route.model.generate(requestOf(search, route))).pipe(
      Effect.tap(serve(search, route)),
      Effect.catchAll((failure) => isFinal(failure) ? failure : generate(next(search, { route: route.name, failure })))
    )
  }

  const stream = (search: Search): DeltaStream =>
    Stream.suspend(() => {
      const [route] = search.remaining
      if (route === undefined) return Stream.fail(failureOf(search.failed))
      let isShown = false
      const onFirst = Effect.suspend(() => {
        isShown = true
        return serve(search, route)
      })
      const answer = route.model.stream(requestOf(search, route))
      return Stream.catchAll(
        withHooks(commitPoint === "complete" ? bufferWhole(withHooks(answer), holds) : answer, { onFirst }),
        (failure) =>
          isShown || isFinal(failure) ? Stream.fail(failure) : stream(next(search, { route: route.name, failure }))
      )
    })

  return {
    generate: (request) => Effect.suspend(() => generate(begin(request))),
    stream: (request) => Stream.suspend(() => stream(begin(request)))
  }
}
