import { ModelUnavailable } from "@trunkline/errors"
import {
  bracketNow,
  catchPullCause,
  type CircuitBreakerOptions,
  circuitBreakerSettings,
  ensurePull,
  suspendSource,
  unwrapSource
} from "@trunkline/kernel"
import { Cause, type Clock, Duration, Effect, Either, Exit, Option, Stream } from "effect"
import type { Completion, Delta } from "../Completion.js"
import type { Model, ModelFailure } from "../LanguageModel.js"
import type { ModelRequest } from "../ModelRequest.js"
import { withHooks } from "./DeltaStream.js"
import { type CircuitRejection, ModelCircuits } from "./ModelCircuits.js"
import type { SharedOutcome } from "./SharedCircuit.js"

/** Settings of circuit breakers. */
export interface BreakerOptions extends CircuitBreakerOptions {
  /** Counts `ModelRateLimited` as a failure. Default: false, since the provider is up and says itself when to retry. */
  readonly rateLimits?: boolean
}

const openCircuitError = ({ isShared, wait }: CircuitRejection) => {
  const reason = isShared ? "The model has failed too often" : "Your requests to this model have failed too often"
  return new ModelUnavailable({
    message: `${reason}. It is asked again in ${Math.ceil(wait / 1000)} s.`,
    retryAfter: Duration.millis(wait)
  })
}

const outcomeOf = (failure: ModelFailure, rateLimits: boolean): SharedOutcome => {
  switch (failure._tag) {
    case "BadRequest":
      return "ignored"
    case "ModelRateLimited":
      return rateLimits ? "failure" : "ignored"
    case "ModelUnavailable":
    case "ModelTimedOut":
      return failure.unreachable === true ? "unreachable" : "failure"
    case "ModelFailed":
      return "failure"
  }
}

/**
 * Adds circuit breakers to a model: for each model id, one per tenant (`origin`) and one that all tenants share. While
 * a circuit is open, calls fail at once with `ModelUnavailable`, whose `retryAfter` is the time until the circuit is
 * half-open and lets probes through (see `CircuitBreaker` of `@trunkline/kernel` and `SharedCircuit`).
 *
 * A tenant whose calls keep failing opens its own circuit only. The shared circuit opens when the calls of several
 * tenants fail, or when the model cannot be reached at all. Memory is bounded: beyond 256 models and 1,024 tenants of
 * each, the least recently seen are forgotten.
 *
 * `ModelUnavailable`, `ModelFailed`, `ModelTimedOut` and defects count as failures, also in the middle of a stream. A
 * stream succeeds at its `Finish`; one that ends without it fails. Rejected requests (`BadRequest`) and abandoned
 * answers are ignored. Put it around `withRetries`, so that a request counts once however many attempts fail, and
 * around `withQueue`, so that no call waits for a model whose circuit is open.
 *
 * @example
 * const model = withCircuitBreakers(inner, { minimumCalls: 10, openFor: "30 seconds" })
 */
export const withCircuitBreakers = (model: Model, { rateLimits = false, ...options }: BreakerOptions = {}): Model => {
  const circuits = new ModelCircuits(circuitBreakerSettings(options))

  const causeOutcome = (cause: Cause.Cause<ModelFailure>): SharedOutcome =>
    Option.match(Cause.failureOption(cause), {
      onNone: () => Cause.isInterruptedOnly(cause) ? "ignored" : "failure",
      onSome: (failure) => outcomeOf(failure, rateLimits)
    })

  /** The answer of one call, once it is admitted. The first of its outcomes counts. */
  const streamAt = (clock: Clock.Clock, request: ModelRequest): Stream.Stream<Delta, ModelFailure> =>
    Either.match(circuits.admit(request, clock.unsafeCurrentTimeMillis()), {
      onLeft: (rejection) => Stream.fail(openCircuitError(rejection)),
      onRight: (admission) => {
        let isSettled = false
        const settle = (outcome: SharedOutcome) => {
          if (isSettled) return
          isSettled = true
          admission.settle(outcome, clock.unsafeCurrentTimeMillis())
        }
        const answer = withHooks(suspendSource(() => model.stream(request)), { onFinish: () => settle("success") })
        const measuredAnswer = catchPullCause(answer, (cause) => {
          settle(causeOutcome(cause))
          return Stream.failCause(cause)
        })
        return ensurePull(measuredAnswer, Effect.sync(() => settle("ignored")))
      }
    })

  return {
    generate: (request) =>
      Effect.clockWith((clock) =>
        bracketNow<Completion, ModelFailure, never>(() => {
          const verdict = circuits.admit(request, clock.unsafeCurrentTimeMillis())
          return Either.match(verdict, {
            onLeft: (rejection) => ({ work: () => openCircuitError(rejection), end: () => {} }),
            onRight: ({ settle }) => ({
              work: () => model.generate(request),
              end: (exit) =>
                settle(
                  Exit.isSuccess(exit) ? "success" : causeOutcome(exit.cause),
                  clock.unsafeCurrentTimeMillis()
                )
            })
          })
        })
      ),
    // Admitted by the first poll of the inner stream, so that no interruption can come before its end is ensured.
    stream: (request) =>
      unwrapSource(Effect.clockWith((clock) => Effect.succeed(suspendSource(() => streamAt(clock, request)))))
  }
}
