import { suspendSource, TokenBucket, unwrapSource } from "@trunkline/kernel"
import { Clock, Duration, Effect, Random, Stream } from "effect"
import { LRUCache } from "lru-cache"
import type { Model, ModelFailure } from "../LanguageModel.js"
import { maxTenants, type ModelRequest, tenantOf } from "../ModelRequest.js"
import { catchFailure, type DeltaStream, withHooks } from "./DeltaStream.js"

/** Capacity of a token bucket, and its refill rates. */
const tokens = { max: 100, perSecond: 10, perCall: 0.2 }

/**
 * Retry throttling, against retry storms: each tenant has a token bucket, and a retry takes a token. A bucket holds 100
 * tokens and gains 10 a second and 0.2 per call. So a tenant with few calls can always retry, and one with very many
 * can retry a fifth of them. Times are milliseconds of one clock.
 */
export class RetryThrottle {
  readonly #buckets = new LRUCache<string, TokenBucket>({
    max: maxTenants,
    memoMethod: () => new TokenBucket(tokens.max, 0)
  })

  /** Counts a first attempt. */
  call(tenant: string, now: number): void {
    this.#buckets.memo(tenant).fill(tokens, now, tokens.perCall)
  }

  /** Takes a token for a retry; returns false if none is remaining. */
  take(tenant: string, now: number): boolean {
    const bucket = this.#buckets.memo(tenant)
    if (bucket.fill(tokens, now) < 1) return false
    bucket.tokens -= 1
    return true
  }
}

/** Returns the `retryAfter` of a failure in milliseconds; null if it has none. */
export const retryAfterMillis = (failure: ModelFailure): number | null =>
  "retryAfter" in failure && failure.retryAfter !== undefined ? Duration.toMillis(failure.retryAfter) : null

/** Settings of retries. */
export interface RetryPolicy {
  /** Attempts, the first included. Default: 4. */
  readonly attempts?: number
  /** Delay before the second attempt. It doubles each time, and 50 to 100 % of it is waited. Default: 500 ms. */
  readonly initialDelay?: Duration.DurationInput
  /** Longest delay. Default: 8 s. */
  readonly maxDelay?: Duration.DurationInput
  /** Retry budget: the time from the first attempt to the start of the last. Default: 5 s. */
  readonly budget?: Duration.DurationInput
  /** Retries timeouts as well. Default: false, since the caller has waited long already. */
  readonly timeouts?: boolean
}

/** One policy for all requests, or one per request. */
export type RetryPolicies = RetryPolicy | ((request: ModelRequest) => RetryPolicy)

/** Waits before the next attempt, or fails with the last failure if there is none. */
type Backoff = (failure: ModelFailure) => Effect.Effect<void, ModelFailure>

const isRetryable = (failure: ModelFailure, timeouts: boolean): boolean => {
  switch (failure._tag) {
    case "BadRequest":
      return false
    case "ModelTimedOut":
      return timeouts
    case "ModelUnavailable":
      return failure.lasting !== true
    default:
      return true
  }
}

/**
 * Retries transient failures of a model: unavailable, failed, rate-limited, and timed out if the policy says so. A
 * stream is retried only until its first delta has been emitted; later failures pass through. A stream that ends
 * without `Finish` counts as failed.
 *
 * Between attempts there is an exponential backoff with jitter (Effect's Random). A `retryAfter` of the failure is
 * waited first, and the backoff on top as far as the budget allows. If the wait exceeds the rest of the budget, or a
 * fallback is behind this model (`hasFallback`), the request fails at once, with that `retryAfter`. `withTimeouts`
 * limits the duration of an attempt.
 *
 * Retries are throttled per tenant (see `RetryThrottle`), so that many failing requests do not multiply.
 *
 * @example
 * const model = withRetries(inner, { attempts: 3, budget: "2 seconds" })
 */
export const withRetries = (model: Model, policies: RetryPolicies = {}): Model => {
  const policyOf = typeof policies === "function" ? policies : () => policies
  const throttle = new RetryThrottle()

  const makeBackoff = (request: ModelRequest, began: number): Backoff => {
    const policy = policyOf(request)
    const {
      attempts = 4,
      budget = "5 seconds",
      initialDelay: firstPause = "500 millis",
      maxDelay: longestPause = "8 seconds"
    } = policy
    const [first, longest] = [Duration.toMillis(firstPause), Duration.toMillis(longestPause)]
    const tenant = tenantOf(request)
    const end = began + Duration.toMillis(budget)
    let retryCount = 0
    throttle.call(tenant, began)
    return (failure) =>
      Effect.gen(function*() {
        retryCount += 1
        if (retryCount >= attempts || !isRetryable(failure, policy.timeouts ?? false)) return yield* failure
        const backoff = Math.min(longest, first * 2 ** (retryCount - 1)) * (0.5 + 0.5 * (yield* Random.next))
        const wait = retryAfterMillis(failure) ?? 0
        const now = yield* Clock.currentTimeMillis
        const remaining = end - now
        const fits = wait === 0 ? backoff <= remaining : wait <= remaining && request.hasFallback !== true
        if (!fits || !throttle.take(tenant, now)) return yield* failure
        yield* Effect.sleep(wait === 0 ? backoff : Math.min(wait + backoff, remaining))
      })
  }

  const generate = (request: ModelRequest, backoff: Backoff): ReturnType<Model["generate"]> =>
    Effect.catchAll(
      model.generate(request),
      (failure) => Effect.zipRight(backoff(failure), generate(request, backoff))
    )
  const stream = (request: ModelRequest, backoff: Backoff): DeltaStream =>
    suspendSource(() => {
      let hasEmitted = false
      const onFirst = () => {
        hasEmitted = true
        return Effect.void
      }
      return catchFailure(
        withHooks(model.stream(request), { onFirst }),
        (failure) =>
          hasEmitted ? Stream.fail(failure) : unwrapSource(Effect.as(backoff(failure), stream(request, backoff)))
      )
    })
  return {
    generate: (request) =>
      Effect.clockWith((clock) => generate(request, makeBackoff(request, clock.unsafeCurrentTimeMillis()))),
    stream: (request) =>
      unwrapSource(
        Effect.clockWith((clock) =>
          Effect.succeed(stream(request, makeBackoff(request, clock.unsafeCurrentTimeMillis())))
        )
      )
  }
}
