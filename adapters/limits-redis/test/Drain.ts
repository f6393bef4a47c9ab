import { type Bucket, BucketStore } from "@trunkline/rate-limits"
import { Effect } from "effect"

/** A bucket of 50 units per second, which even a very busy machine can empty. */
export const drained: Bucket = { owner: "acme", name: "drained", interval: 20_000, burst: 300 }

/** Result of draining. Times are microseconds of the store. */
export interface Drained {
  readonly admitted: number
  readonly first: number
  readonly last: number
  /** Time of the last rejection. */
  readonly lastRefused: number
}

/** Requests continuously, 16 at a time, for at least 1.5 s and until a request is rejected. */
export const drain: Effect.Effect<Drained, never, BucketStore> = Effect.gen(function*() {
  const store = yield* BucketStore
  const { at: first } = yield* store.take([drained], 1)
  let admitted = 1
  let last = first
  let lastRefused = 0
  const ask = Effect.map(store.take([drained], 1), (result) => {
    last = Math.max(last, result.at)
    if (result.isAdmitted) admitted++
    else lastRefused = Math.max(lastRefused, result.at)
  })
  const asking = Effect.repeat(ask, { until: () => lastRefused > 0 && last - first > 1_500_000 })
  yield* Effect.replicateEffect(asking, 16, { concurrency: "unbounded", discard: true })
  return { admitted, first, last, lastRefused }
})
