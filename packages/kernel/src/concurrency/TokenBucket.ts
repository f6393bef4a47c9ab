/** Capacity of a token bucket, and the tokens that it gains per second. */
export interface TokenRate {
  readonly max: number
  readonly perSecond: number
}

/**
 * A full token bucket in memory. Its owner gives the rate with each call, and takes tokens itself. The limits of plans are
 * exact and stored: those are `BucketStore` of `@trunkline/rate-limits`. Times are milliseconds of one clock.
 */
export class TokenBucket {
  tokens: number
  #filledAt: number

  constructor(tokens: number, now: number) {
    this.tokens = tokens
    this.#filledAt = now
  }

  /** Adds the tokens of the time since the last call, and some more, up to the capacity; returns the tokens there are. */
  fill({ max, perSecond }: TokenRate, now: number, more = 0): number {
    const seconds = Math.max(0, now - this.#filledAt) / 1000
    this.#filledAt = now
    return this.tokens = Math.min(max, this.tokens + seconds * perSecond + more)
  }
}
