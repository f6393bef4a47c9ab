import {
  type FallbackOptions,
  type FallbackRoute,
  type LanguageModel,
  type ModelFailure,
  type ModelRequest,
  type QueueOptions,
  type Reliability,
  type RetryPolicies,
  withFallbacks,
  withReliability
} from "@trunkline/models"
import { Effect, Stream } from "effect"
import { defaultConnections, type Options } from "./Options.js"
import { rejectionBy } from "./RequestBody.js"
import { defaultConnectTimeout } from "./Timeouts.js"

type Model = LanguageModel["Type"]

/** Another upstream, with its own address, key, model ids and reliability; it inherits nothing. */
export interface Fallback extends Options, Reliability {
  /** Name in the `model.route` attribute of spans and in `onServed`. */
  readonly name: string
  /**
   * Checks whether it takes a request. Default: every one. Requests that its `capabilities` rule out are never sent.
   */
  readonly accepts?: (request: ModelRequest) => boolean
}

/** An upstream with retries, a queue, circuit breakers and fallbacks. */
export interface ReliableOptions extends Options, Reliability, Partial<FallbackOptions> {
  /**
   * Default: the defaults of `RetryPolicy`; for requests that have a further fallback, two attempts that start within a
   * second, so that the fallback answers soon. The same goes for fallbacks.
   */
  readonly retries?: RetryPolicies | false
  /**
   * Fair queue in front of the connections, so that no tenant takes all of them. Default: one slot per connection,
   * 1,024 waiting requests, each for as long as the `connect` timeout.
   */
  readonly queue?: QueueOptions
  /**
   * Tried in this order when the upstream, whose route is then `primary`, fails or cannot take a request. Default:
   * none.
   */
  readonly fallbacks?: ReadonlyArray<Fallback>
  /** As with `withFallbacks`; without effect if there are no fallbacks. Default: `firstDelta`. */
  readonly commitPoint?: FallbackOptions["commitPoint"]
}

const defaultQueue = ({ connections = defaultConnections, timeouts = {} }: Options): QueueOptions => ({
  concurrency: connections,
  waiting: 1_024,
  timeout: timeouts.connect ?? defaultConnectTimeout
})

const defaultRetries: RetryPolicies = ({ hasFallback = false }) =>
  hasFallback ? { attempts: 2, initialDelay: "250 millis", budget: "1 second" } : {}

/** Rejects at once what no further attempt would change. */
const withRejections = (model: Model, rejection: (request: ModelRequest) => ModelFailure | null): Model => ({
  generate: (request) => rejection(request) ?? model.generate(request),
  stream: (request) => {
    const failure = rejection(request)
    return failure === null ? model.stream(request) : Stream.fail(failure)
  }
})

const routeOf = (model: Model, { accepts = () => true, ...upstream }: Fallback): FallbackRoute => {
  const rejection = rejectionBy(upstream)
  return {
    name: upstream.name,
    model: withRejections(
      withReliability(model, { retries: defaultRetries, queue: defaultQueue(upstream), ...upstream }),
      rejection
    ),
    accepts: (request) => rejection(request)?._tag !== "BadRequest" && accepts(request)
  }
}

/** Makes a model for each upstream, and combines them into one with retries and fallbacks. */
export const makeReliableModel = <E, R>(
  make: (options: Options) => Effect.Effect<Model, E, R>,
  { fallbacks = [], ...options }: ReliableOptions
): Effect.Effect<Model, E, R> =>
  Effect.gen(function*() {
    const { commitPoint = "firstDelta" } = options
    const routes = yield* Effect.forEach([{ ...options, name: "primary" }, ...fallbacks], (upstream) =>
      Effect.map(make(upstream), (model) => routeOf(model, upstream)))
    const [primary] = routes
    return fallbacks.length === 0 && primary !== undefined
      ? primary.model
      : withFallbacks(routes, { ...options, commitPoint })
  })
