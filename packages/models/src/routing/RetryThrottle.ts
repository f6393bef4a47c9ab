import { LruMap, mostTenants } from "./LruMap.js"

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
  readonly #buckets = new LruMap<string, Bucket>(mostTenants, () => ({ tokens: tokens.most, filledAt: 0 }))

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
    const bucket = this.#buckets.get(tenant)
    const waited = Math.max(0, now - bucket.filledAt) / 1_000
    bucket.tokens = Math.min(tokens.most, bucket.tokens + waited * tokens.perSecond + earned)
    bucket.filledAt = now
    return bucket
  }
}
