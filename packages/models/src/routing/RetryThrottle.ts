import { LruMap, mostTenants } from "./LruMap.js"

/** What a tenant may save up, and what it earns a second. */
const tokens = { most: 100, perSecond: 10, perCall: 0.2 }

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * Keeps retries from becoming a storm: each tenant has a token bucket that a retry takes one token from. It holds 100,
 * and fills by 10 a second and by a fifth of one for each call. So a tenant with few calls is always asked again, while
 * the many calls of another are asked again by a fifth of them. Times are milliseconds of any one clock.
 */
export class RetryThrottle {
  readonly #buckets = new LruMap<string, Bucket>(mostTenants, () => ({ tokens: tokens.most, filledAt: 0 }))

  /** Counts a call, whatever becomes of it. */
  call(tenant: string, now: number): void {
    this.#fill(tenant, tokens.perCall, now)
  }

  /** Takes what a retry costs; false where there is not enough. */
  take(tenant: string, now: number): boolean {
    const bucket = this.#fill(tenant, 0, now)
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }

  #fill(tenant: string, earned: number, now: number): Bucket {
    const bucket = this.#buckets.get(tenant)
    const waited = Math.max(0, now - bucket.filledAt) / 1_000
    bucket.tokens = Math.min(tokens.most, bucket.tokens + waited * tokens.perSecond + earned)
    bucket.filledAt = now
    return bucket
  }
}
