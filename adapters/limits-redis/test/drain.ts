import { type Bucket, BucketStore } from "@trunkline/rate-limits"
import { Effect } from "effect"

/** A bucket of 50 units a second: even a very busy machine asks for more, and empties it. */
export const drained: Bucket = { owner: "acme", name: "drained", interval: 20_000, burst: 300 }

/** What asking showed. Times are microseconds of the store. */
export interface Drained {
  readonly admitted: number
  readonly first: number
  readonly last: number
  /** When the bucket was last seen empty. */
  readonly lastRefused: number
}

/** Asks without a pause, 16 at once, for 1.5 s from the first answer at least, and until the bucket was seen empty. */
export const drain: Effect.Effect<Drained, never, BucketStore> = Effect.gen(function*() {
  const store = yield* BucketStore
  const { at: first } = yield* store.take([drained], 1)
  let admitted = 1
  let last = first
  let lastRefused = 0
  const ask = Effect.map(store.take([drained], 1), (taken) => {
    last = Math.max(last, taken.at)
    if (taken.admitted) admitted++
    else lastRefused = Math.max(lastRefused, taken.at)
  })
  const asking = Effect.repeat(ask, { until: () => lastRefused > 0 && last - first > 1_500_000 })
  yield* Effect.replicateEffect(asking, 16, { concurrency: "unbounded", discard: true })
  return { admitted, first, last, lastRefused }
})
