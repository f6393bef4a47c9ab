import { Array, Context, Effect, Layer } from "effect"
import { ExpiringMap } from "./ExpiringMap.js"
import { type Bucket, takeFrom, takeFromAll, type TakeResult } from "./Gcra.js"

/** The distinct buckets of a request. */
export type Buckets = readonly [Bucket, ...ReadonlyArray<Bucket>]

/**
 * Storage of token buckets, possibly shared by several processes. It uses its own clock instead of its callers', and every
 * operation is atomic. Unknown buckets are full. A clock that jumps back never makes a bucket emptier than empty.
 */
export class BucketStore extends Context.Tag("@trunkline/rate-limits/BucketStore")<BucketStore, {
  /**
   * Takes `cost` units from every bucket, or from none when one has too few. `cost` is a whole number up to the smallest
   * burst, where 0 only reads; the buckets must be distinct.
   */
  readonly take: (buckets: Buckets, cost: number) => Effect.Effect<TakeResult>
  /** The decision of `take` where it needs no waiting, made at once; otherwise undefined, and nothing was taken. */
  readonly takeNow: (buckets: Buckets, cost: number) => TakeResult | undefined
}>() {
  /** Stores buckets in memory, with the Clock at construction. Full buckets are removed over time. */
  static readonly layerMemory = Layer.effect(
    BucketStore,
    Effect.map(Effect.clock, (clock) => {
      const levels = new ExpiringMap({
        create: () => ({ interval: 1, burst: 1, full: -Infinity }),
        isExpired: ({ full }, at) => full <= at
      })
      const levelOf = (bucket: Bucket) => {
        const level = levels.getOrCreate(bucket)
        level.interval = bucket.interval
        level.burst = bucket.burst
        return level
      }
      const takeNow = (buckets: Buckets, cost: number): TakeResult => {
        const request = { cost, at: Math.floor(clock.unsafeCurrentTimeMillis() * 1000) }
        const result = buckets.length === 1
          ? takeFrom(levelOf(buckets[0]), request)
          : takeFromAll(Array.map(buckets, levelOf), request)
        levels.sweep(request.at)
        return result
      }
      return BucketStore.of({ take: (buckets, cost) => Effect.sync(() => takeNow(buckets, cost)), takeNow })
    })
  )
}
