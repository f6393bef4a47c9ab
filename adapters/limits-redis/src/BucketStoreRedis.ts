import type { Bucket, BucketStore, TakeResult } from "@trunkline/rate-limits"
import { type Context, Effect } from "effect"
import { largestLease, Leases } from "./Leases.js"
import type { RedisLink } from "./RedisLink.js"
import { grantOf, takeInput, takeScript } from "./TakeScript.js"

type Store = Context.Tag.Service<BucketStore>

/** Buckets in Redis; in `local`, with their share of the limit, where Redis does not answer. */
export const makeBucketStore = (
  options: {
    readonly link: RedisLink
    readonly keyOf: (bucket: Bucket) => string
    readonly local: Store
    readonly share: (limit: number) => number
    readonly processes: number
    readonly lease: boolean
  }
): Store => {
  const { keyOf, lease, link, local, processes, share } = options

  const takeLocally: Store["take"] = ([first, ...others], cost) => {
    const shared = (bucket: Bucket): Bucket => ({
      ...bucket,
      interval: bucket.interval * processes,
      burst: Math.max(cost, share(bucket.burst))
    })
    return local.take([shared(first), ...others.map(shared)], cost)
  }

  const leases = new Leases({
    now: () => performance.now(),
    fetch: ({ bucket, key, want }, done) =>
      link.run(
        takeScript,
        takeInput({ keys: [key], buckets: [bucket], need: 1, want }),
        (reply) => done(reply && grantOf(reply))
      )
  })

  const takeLeased = (key: string, bucket: Bucket): Effect.Effect<TakeResult> =>
    Effect.async((resume) =>
      leases.join(
        key,
        bucket,
        (taken) => resume(taken === undefined ? takeLocally([bucket], 1) : Effect.succeed(taken))
      )
    )

  const takeExactly: Store["take"] = (buckets, cost) =>
    Effect.async((resume) => {
      const input = takeInput({ keys: buckets.map(keyOf), buckets, need: cost, want: cost })
      link.run(takeScript, input, (reply) => {
        if (reply === undefined) return resume(takeLocally(buckets, cost))
        const { at, granted, remaining, resetAfter, retryAfter } = grantOf(reply)
        resume(Effect.succeed({ admitted: granted === cost, remaining, retryAfter, resetAfter, at }))
      })
    })

  return {
    take: (buckets, cost) =>
      Effect.suspend(() => {
        const [bucket, second] = buckets
        if (!lease || second !== undefined || largestLease(bucket) === 1) return takeExactly(buckets, cost)
        const key = keyOf(bucket)
        const taken = leases.serve(key, cost)
        if (taken !== undefined) return Effect.succeed(taken)
        return cost === 1 ? takeLeased(key, bucket) : takeExactly(buckets, cost)
      })
  }
}
