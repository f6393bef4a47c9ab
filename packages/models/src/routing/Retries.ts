import { Clock, Duration, Effect, Random, Stream } from "effect"
import { LRUCache } from "lru-cache"
import type { Model, ModelFailure } from "../LanguageModel.js"
import { maxTenants, type ModelRequest, tenantOf } from "../ModelRequest.js"
import { type DeltaStream, unwrapStream, withHooks } from "./DeltaStream.js"

/** Capacity of a token bucket, and its refill. */
const tokens = { most: 100, perSecond: 10, perCall: 0.2 }

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * Retry throttling, against retry storms: each tenant has a token bucket, and a retry takes a token. A bucket holds 100
 * tokens and gains 10 a second and 0.2 per call. So a tenant with few calls can always retry, and one with very many can
 * retry a fifth of them. Times are milliseconds of any one clock.
 */
export class RetryThrottle {
  readonly #buckets = new LRUCache<string, Bucket>({
    max: maxTenants,
    memoMethod: () => ({ tokens: tokens.most, filledAt: 0 })
  })

  /** Counts a first attempt. */
  call(tenant: string, now: number): void {
    this.#fill(tenant, tokens.perCall, now)
  }

  /** Takes a token for a retry; false where none is left. */
  take(tenant: string, now: number): boolean {
    const bucket = this.#fill(tenant, 0, now)
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }

  #fill(tenant: string, earned: number, now: number): Bucket {
    const bucket = this.#buckets.memo(tenant)
    const waited = Math.max(0, now - bucket.filledAt) / 1_000
    bucket.tokens = Math.min(tokens.most, bucket.tokens + waited * tokens.perSecond + earned)
    bucket.filledAt = now
    return bucket
  }
}

/** The `retryAfter` of a failure in milliseconds; null where it has none. */
export const retryAfterMillis = (failure: ModelFailure): number | null =>
  "retryAfter" in failure && failure.retryAfter !== undefined ? Duration.toMillis(failure.retryAfter) : null

/** Settings of retries. */
export interface RetryPolicy {
  /** Attempts, the first included. Default: 4. */
  readonly attempts?: number
  /** Backoff before the second attempt; it doubles each time, and a random half to all of it is waited. Default: 500 ms. */
  readonly initialDelay?: Duration.DurationInput
  /** Longest backoff. Default: 8 s. */
  readonly maxDelay?: Duration.DurationInput
  /** Retry budget: the time from the first attempt to the start of the last. Default: 5 s. */
  readonly budget?: Duration.DurationInput
  /** Retries timeouts as well. Default: false, since the caller has waited long already. */
  readonly timeouts?: boolean
}

/** One policy for all requests, or one per request. */
export type RetryPolicies = RetryPolicy | ((request: ModelRequest) => RetryPolicy)

/** Waits before the next attempt, or fails with the failure of the last one. */
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
 * Retries a model that fails in a way that may pass: unavailable, failed, rate-limited, and too slow where the policy says
 * so. A stream is retried only until its first piece has been shown; from then on a failure goes through. A stream that
 * ends without its `Finish` counts as failed.
 *
 * Between attempts there is an exponential backoff with jitter (Effect's Random). Where a failure has a `retryAfter`, that
 * is waited first, and the backoff on top as far as the budget allows. If the wait does not fit into what is left of the
 * budget, or a fallback is behind this model (`hasFallback`), the failure is given at once, with its `retryAfter`. The
 * duration of an attempt is up to `bounded`.
 *
 * Retries are throttled per tenant (see `RetryThrottle`), so that many failing requests do not multiply.
 */
export const withRetries = (model: Model, policies: RetryPolicies = {}): Model => {
  const policyOf = typeof policies === "function" ? policies : () => policies
  const throttle = new RetryThrottle()

  const makeBackoff = (request: ModelRequest): Effect.Effect<Backoff> => {
    const policy = policyOf(request)
    const {
      attempts = 4,
      budget = "5 seconds",
      initialDelay: firstPause = "500 millis",
      maxDelay: longestPause = "8 seconds"
    } = policy
    const [first, longest] = [Duration.toMillis(firstPause), Duration.toMillis(longestPause)]
    const tenant = tenantOf(request)
    return Effect.map(Clock.currentTimeMillis, (began) => {
      const end = began + Duration.toMillis(budget)
      let made = 0
      throttle.call(tenant, began)
      return (failure) =>
        Effect.gen(function*() {
          made += 1
          if (made >= attempts || !isRetryable(failure, policy.timeouts ?? false)) return yield* failure
          const pause = Math.min(longest, first * 2 ** (made - 1)) * (0.5 + 0.5 * (yield* Random.next))
          const wait = retryAfterMillis(failure) ?? 0
          const now = yield* Clock.currentTimeMillis
          const left = end - now
          const fits = wait === 0 ? pause <= left : wait <= left && request.hasFallback !== true
          if (!fits || !throttle.take(tenant, now)) return yield* failure
          yield* Effect.sleep(wait === 0 ? pause : Math.min(wait + pause, left))
        })
    })
  }

  const generate = (request: ModelRequest, pause: Backoff): ReturnType<Model["generate"]> =>
    Effect.catchAll(
      model.generate(request),
      (failure) => Effect.zipRight(pause(failure), generate(request, pause))
    )
  const stream = (request: ModelRequest, pause: Backoff): DeltaStream =>
    Stream.suspend(() => {
      let isShown = false
      const onFirst = Effect.sync(() => void (isShown = true))
      return Stream.catchAll(
        withHooks(model.stream(request), { onFirst }),
        (failure) => isShown ? Stream.fail(failure) : unwrapStream(Effect.as(pause(failure), stream(request, pause)))
      )
    })
  return {
    generate: (request) => Effect.flatMap(makeBackoff(request), (pause) => generate(request, pause)),
    stream: (request) => unwrapStream(Effect.map(makeBackoff(request), (pause) => stream(request, pause)))
  }
}
