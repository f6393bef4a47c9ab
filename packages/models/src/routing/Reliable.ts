import { type BreakerOptions, breaking } from "./Breaking.js"
import type { Model } from "./Model.js"
import type { QueueOptions } from "./Places.js"
import { queued } from "./Queued.js"
import { retrying, type RetryPolicies } from "./Retrying.js"

/** What stands around a model; false leaves a part out. */
export interface Reliability {
  /** Default: the circuit breaker as it is. */
  readonly breaker?: BreakerOptions | false
  /** Default: the retries as they are. */
  readonly retries?: RetryPolicies | false
  /** Default: nobody waits for a place. */
  readonly queue?: QueueOptions
}

/**
 * A model that is asked again when that may help, by no more than have a place, and left alone while it is down. The
 * breaker is outermost, so that nobody waits for retries that it would refuse.
 */
export const reliable = (model: Model, { breaker = {}, queue, retries = {} }: Reliability = {}): Model => {
  const patient = retries === false ? model : retrying(model, retries)
  const placed = queue === undefined ? patient : queued(patient, queue)
  return breaker === false ? placed : breaking(placed, breaker)
}
