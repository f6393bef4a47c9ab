import { ModelUnavailable } from "@trunkline/errors"
import { Cause, Clock, Duration, Effect, Either, Exit, Option, Stream } from "effect"
import type { ModelFailure } from "../LanguageModel.js"
import type { ModelRequest } from "../ModelRequest.js"
import type { CircuitOptions } from "./Circuit.js"
import type { Model } from "./Model.js"
import { type Admitted, ModelCircuits, type Refusal } from "./ModelCircuits.js"
import type { SharedOutcome } from "./SharedCircuit.js"
import { unwrapped, watched } from "./Watched.js"

/** When the circuit of a model opens, and for how long. */
export interface BreakerOptions extends CircuitOptions {
  /** Whether `ModelRateLimited` counts as a failure; default no: the provider is well, and says itself when to come back. */
  readonly rateLimits?: boolean
}

const refusedBy = ({ isShared, wait }: Refusal) => {
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
 * Puts circuit breakers before a model: for each model id one for each tenant (`origin`), and one that all of them share.
 * While a circuit is open, calls fail at once with `ModelUnavailable`, which says when it is half-open and probes find out
 * whether the model is back (see `Circuit` and `SharedCircuit`).
 *
 * A tenant whose calls keep failing closes the model to itself. It is closed to every tenant when the calls of several
 * fail, or when it cannot be reached. The tenants and models that have not called for the longest time are forgotten where
 * there are very many.
 *
 * `ModelUnavailable`, `ModelFailed`, `ModelTimedOut` and defects count as failures, also in the middle of a stream. A
 * stream is a success at its `Finish`; one that ends without it fails. Requests that are refused (`BadRequest`) and
 * answers that nobody waited for count as nothing. To be put around `retrying`, so that a request whose attempts all fail
 * counts once, and around `queued`: nobody needs to wait for what is not asked.
 */
export const breaking = (model: Model, { rateLimits = false, ...options }: BreakerOptions = {}): Model => {
  const circuits = new ModelCircuits(options)

  const causeOutcome = (cause: Cause.Cause<ModelFailure>): SharedOutcome =>
    Option.match(Cause.failureOption(cause), {
      onNone: () => Cause.isInterruptedOnly(cause) ? "ignored" : "failure",
      onSome: (failure) => outcomeOf(failure, rateLimits)
    })

  /** One call: how it begins, and how it is settled, of which the first time counts. */
  const makeCall = (request: ModelRequest) => {
    let admitted: Admitted | null = null
    return {
      begin: Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Either.match(circuits.admit(request, now), {
          onLeft: (refusal) => Effect.fail(refusedBy(refusal)),
          onRight: (entered) => Effect.sync(() => void (admitted = entered))
        })),
      settle: (outcome: SharedOutcome) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          admitted?.settle(outcome, now)
          admitted = null
        })
    }
  }

  return {
    generate: (request) =>
      Effect.suspend(() => {
        const call = makeCall(request)
        return Effect.acquireUseRelease(
          call.begin,
          () => model.generate(request),
          (_, exit) => call.settle(Exit.isSuccess(exit) ? "success" : causeOutcome(exit.cause))
        )
      }),
    stream: (request) =>
      Stream.suspend(() => {
        const call = makeCall(request)
        const answer = watched(model.stream(request), { onFinish: call.settle("success") }).pipe(
          Stream.catchAllCause((cause) =>
            unwrapped(Effect.as(call.settle(causeOutcome(cause)), Stream.failCause(cause)))
          )
        )
        return Stream.ensuring(unwrapped(Effect.as(call.begin, answer)), call.settle("ignored"))
      })
  }
}
