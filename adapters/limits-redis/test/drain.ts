import { type Bucket, BucketStore } from "@trunkline/rate-limits"
import { Effect } from "effect"

/** A bucket of 500 units a second that does not fill up in the time of a test. */
export const drained: Bucket = { owner: "acme", name: "drained", interval: 2_000, burst: 3_000 }

/** What asking showed. Times are microseconds of the store. */
export interface Drained {
  readonly admitted: number
  readonly first: number
  readonly last: number
  /** When the bucket was last seen empty. */
  readonly lastRefused: number
}

/** Asks without a pause, 16 at once, until 1.5 s after the first answer. */
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
  const asking = Effect.repeat(ask, { until: () => last - first > 1_500_000 })
  yield* Effect.replicateEffect(asking, 16, { concurrency: "unbounded", discard: true })
  return { admitted, first, last, lastRefused }
})
