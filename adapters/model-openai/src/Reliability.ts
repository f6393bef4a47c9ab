import {
  type FallbackOptions,
  type FallbackRoute,
  type LanguageModel,
  type ModelFailure,
  type ModelRequest,
  type QueueOptions,
  type Reliability,
  reliable,
  type RetryPolicies,
  withFallbacks
} from "@trunkline/models"
import { Effect, Stream } from "effect"
import { type Options, usualConnections } from "./Options.js"
import { refusalBy } from "./Refusals.js"
import { usualConnect } from "./Timeouts.js"

type Model = LanguageModel["Type"]

/** Another upstream, with an address, a key, ids and a reliability of its own; it inherits none. */
export interface Fallback extends Options, Reliability {
  /** What `model.route` of spans and `onServed` call it. */
  readonly name: string
  /** Whether it is asked such a request; default every one. It is never asked what its `capabilities` would refuse. */
  readonly takes?: (request: ModelRequest) => boolean
}

/** What stands around an upstream, and behind it. */
export interface ReliableOptions extends Options, Reliability, Partial<FallbackOptions> {
  /**
   * Default: those of `RetryPolicy`; for requests that another upstream takes after this one, two attempts that begin
   * within a second, so that whoever waits is soon answered by the other one. The same goes for fallbacks.
   */
  readonly retries?: RetryPolicies | false
  /**
   * Fair queue in front of the connections. Default: one place for each connection, 1,024 waiting requests, and `connect`
   * of `timeouts` as patience, so that no tenant takes all connections.
   */
  readonly queue?: QueueOptions
  /** Asked in this order when the upstream, which is then called `primary`, fails or cannot take a request. Default: none. */
  readonly fallbacks?: ReadonlyArray<Fallback>
  /** As with `withFallbacks`, and like `holds` and `onServed` of no meaning without fallbacks. Default: `firstDelta`. */
  readonly commitPoint?: FallbackOptions["commitPoint"]
}

const usualQueue = ({ connections = usualConnections, timeouts = {} }: Options): QueueOptions => ({
  concurrency: connections,
  waiting: 1_024,
  patience: timeouts.connect ?? usualConnect
})

const usualRetries: RetryPolicies = ({ hasFallback = false }) =>
  hasFallback ? { attempts: 2, firstPause: "250 millis", budget: "1 second" } : {}

/** Refuses at once what no further attempt would change. */
const refusing = (model: Model, refusal: (request: ModelRequest) => ModelFailure | null): Model => ({
  generate: (request) => refusal(request) ?? model.generate(request),
  stream: (request) => {
    const failure = refusal(request)
    return failure === null ? model.stream(request) : Stream.fail(failure)
  }
})

const routeOf = (model: Model, { takes = () => true, ...upstream }: Fallback): FallbackRoute => {
  const refusal = refusalBy(upstream)
  return {
    name: upstream.name,
    model: refusing(reliable(model, { retries: usualRetries, queue: usualQueue(upstream), ...upstream }), refusal),
    takes: (request) => refusal(request)?._tag !== "BadRequest" && takes(request)
  }
}

/** Makes a model for each upstream, and of them one that goes on where a single attempt would fail. */
export const makeReliable = <E, R>(
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
