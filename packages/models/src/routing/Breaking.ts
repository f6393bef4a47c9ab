import { ModelUnavailable } from "@trunkline/errors"
import { Cause, Clock, Duration, Effect, Either, Exit, Option, Stream } from "effect"
import type { ModelFailure } from "../LanguageModel.js"
import { Circuit, type CircuitOptions, type Pass, type Verdict } from "./Circuit.js"
import type { Model } from "./Model.js"
import { unwrapped, watched } from "./Watched.js"

/** When a model that keeps failing is left alone. */
export interface BreakerOptions extends CircuitOptions {
  /** Whether `ModelRateLimited` counts as a failure; default no: the provider is well, and says itself when to come back. */
  readonly rateLimits?: boolean
}

/** Of more model ids than these, those that were not asked for the longest time are forgotten. */
const mostCircuits = 256

/** Circuits by model id. Whoever makes up ids does not fill the memory with them. */
const makeCircuits = (options: CircuitOptions) => {
  const circuits = new Map<string, Circuit>()
  return (id: string): Circuit => {
    const circuit = circuits.get(id) ?? new Circuit(options)
    circuits.delete(id)
    circuits.set(id, circuit)
    if (circuits.size > mostCircuits) {
      const [oldest = id] = circuits.keys()
      circuits.delete(oldest)
    }
    return circuit
  }
}

const resting = (wait: number) =>
  new ModelUnavailable({
    message: `The model has failed too often and is left alone. It is tried again in ${Math.ceil(wait / 1000)} s.`,
    retryAfter: Duration.millis(wait)
  })

/**
 * Leaves a model alone while it keeps failing, each model id by itself: calls fail at once with `ModelUnavailable`,
 * which says when it is tried again, and one call at a time finds out whether it is back (see `Circuit`).
 *
 * `ModelUnavailable`, `ModelFailed`, `ModelTimedOut` and defects count as failures, also in the middle of a stream. A
 * stream is a success at its `Finish`; one that ends without it fails. Requests that are refused (`BadRequest`) and
 * answers that nobody waited for count as nothing. To be put around `retrying` and `queued`: nobody needs to wait for what
 * is left alone.
 */
export const breaking = (model: Model, { rateLimits = false, ...options }: BreakerOptions = {}): Model => {
  const circuitOf = makeCircuits(options)

  const verdictOf = (cause: Cause.Cause<ModelFailure>): Verdict => {
    const tag = Option.getOrNull(Cause.failureOption(cause))?._tag
    const isUnknown = tag === undefined
      ? Cause.isInterruptedOnly(cause)
      : tag === "BadRequest" || (tag === "ModelRateLimited" && !rateLimits)
    return isUnknown ? "unknown" : "bad"
  }

  /** One call: what it begins with, and how it is settled, of which the first time counts. */
  const makeCall = (id: string) => {
    let held: { readonly circuit: Circuit; readonly pass: Pass } | null = null
    return {
      begin: Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const circuit = circuitOf(id)
        return Either.match(circuit.admit(now), {
          onLeft: (wait) => Effect.fail(resting(wait)),
          onRight: (pass) => Effect.sync(() => void (held = { circuit, pass }))
        })
      }),
      settle: (verdict: Verdict) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          held?.circuit.settle(held.pass, verdict, now)
          held = null
        })
    }
  }

  return {
    generate: (request) =>
      Effect.suspend(() => {
        const call = makeCall(request.model)
        return Effect.acquireUseRelease(
          call.begin,
          () => model.generate(request),
          (_, exit) => call.settle(Exit.isSuccess(exit) ? "good" : verdictOf(exit.cause))
        )
      }),
    stream: (request) =>
      Stream.suspend(() => {
        const call = makeCall(request.model)
        const answer = watched(model.stream(request), { onFinish: call.settle("good") }).pipe(
          Stream.catchAllCause((cause) => unwrapped(Effect.as(call.settle(verdictOf(cause)), Stream.failCause(cause))))
        )
        return Stream.ensuring(unwrapped(Effect.as(call.begin, answer)), call.settle("unknown"))
      })
  }
}
