import { Array, Context, Effect, Layer } from "effect"
import { takeFrom, takeFromAll } from "./Gcra.js"
import { Holdings } from "./Holdings.js"

/** A token bucket, kept as the moment at which it will be full again (GCRA). All times are whole microseconds. */
export interface Bucket {
  /** Who shares it, such as an account's id. */
  readonly owner: string
  /** What it is for. Buckets are told apart by owner and name together. */
  readonly name: string
  /** How long one unit takes to refill, in microseconds. A whole number from 1. */
  readonly interval: number
  /** How many units a full bucket holds. A whole number from 1. */
  readonly burst: number
}

/** What came of asking for units. All times are whole microseconds. */
export interface Taken {
  readonly admitted: boolean
  /** Whole units that are left; of several buckets, the fewest. */
  readonly remaining: number
  /** How long until the same request would be admitted; 0 when it was. */
  readonly retryAfter: number
  /** How long until every bucket is full again. */
  readonly resetAfter: number
  /** When this was decided, by the clock of the store: microseconds since 1970. */
  readonly at: number
}

/**
 * Keeps token buckets. One store serves every process that shares it: it decides by its own clock, never by its
 * caller's, and each answer is one step that nothing comes between.
 *
 * A bucket that was never asked for is full. A clock that jumps back makes no bucket emptier than empty.
 */
export class BucketStore extends Context.Tag("@trunkline/rate-limits/BucketStore")<BucketStore, {
  /**
   * Takes `cost` units from every bucket, or, when one of them does not hold as many, from none. `cost` is a whole
   * number from 1 to the smallest burst; no two of the buckets are the same.
   */
  readonly take: (buckets: readonly [Bucket, ...ReadonlyArray<Bucket>], cost: number) => Effect.Effect<Taken>
}>() {
  /** Keeps buckets in memory, by the Clock that it is built under. Buckets that are full again are forgotten. */
  static readonly layerMemory = Layer.effect(
    BucketStore,
    Effect.map(Effect.clock, (clock) => {
      const levels = new Holdings({
        fresh: () => ({ interval: 1, burst: 1, full: -Infinity }),
        isSpent: ({ full }, at) => full <= at
      })
      const levelOf = (bucket: Bucket) => {
        const level = levels.obtain(bucket)
        level.interval = bucket.interval
        level.burst = bucket.burst
        return level
      }
      return BucketStore.of({
        take: (buckets, cost) =>
          Effect.sync(() => {
            const asked = { cost, at: Math.floor(clock.unsafeCurrentTimeMillis() * 1000) }
            const taken = buckets.length === 1
              ? takeFrom(levelOf(buckets[0]), asked)
              : takeFromAll(Array.map(buckets, levelOf), asked)
            levels.tend(asked.at)
            return taken
          })
      })
    })
  )
}
