import type { Model } from "../LanguageModel.js"
import { type BreakerOptions, withCircuitBreakers } from "./CircuitBreakers.js"
import { type QueueOptions, withQueue } from "./FairQueue.js"
import { type RetryPolicies, withRetries } from "./Retries.js"

/** Parts that make a model reliable; false leaves one out. */
export interface Reliability {
  /** Default: circuit breakers with their defaults. */
  readonly breaker?: BreakerOptions | false
  /** Default: retries with their defaults. */
  readonly retries?: RetryPolicies | false
  /** Default: no queue. */
  readonly queue?: QueueOptions
}

/**
 * Puts retries, a queue and circuit breakers around a model. The breakers are outermost, so that no call waits for a model
 * whose circuit is open.
 */
export const withReliability = (model: Model, { breaker = {}, queue, retries = {} }: Reliability = {}): Model => {
  const patient = retries === false ? model : withRetries(model, retries)
  const placed = queue === undefined ? patient : withQueue(patient, queue)
  return breaker === false ? placed : withCircuitBreakers(placed, breaker)
}
