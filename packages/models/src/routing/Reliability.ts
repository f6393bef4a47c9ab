import type { Model } from "../LanguageModel.js"
import { type BreakerOptions, withCircuitBreakers } from "./CircuitBreakers.js"
import { type QueueOptions, withQueue } from "./FairQueue.js"
import { type RetryPolicies, withRetries } from "./Retries.js"

/** Settings of `withReliability`; false leaves a part out. */
export interface Reliability {
  /** Default: circuit breakers with their defaults. */
  readonly breaker?: BreakerOptions | false
  /** Default: retries with their defaults. */
  readonly retries?: RetryPolicies | false
  /** Default: no queue. */
  readonly queue?: QueueOptions
}

/**
 * Adds retries, a queue and circuit breakers to a model. The breakers are outermost, so that no call waits for a model
 * whose circuit is open.
 *
 * @example
 * const model = withReliability(inner, { retries: { attempts: 2 }, breaker: false })
 */
export const withReliability = (model: Model, { breaker = {}, queue, retries = {} }: Reliability = {}): Model => {
  const retryModel = retries === false ? model : withRetries(model, retries)
  const queueModel = queue === undefined ? retryModel : withQueue(retryModel, queue)
  return breaker === false ? queueModel : withCircuitBreakers(queueModel, breaker)
}
