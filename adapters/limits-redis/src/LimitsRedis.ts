import { BucketStore, SlotStore } from "@trunkline/rate-limits"
import { Context, type Duration, Effect, Layer } from "effect"
import { connect, makeClient } from "./RedisClient.js"
import { makeBucketStore, makeSlotStore } from "./RedisStores.js"
import { makeScriptRunner, type ScriptClient } from "./ScriptRunner.js"

export type { ScriptClient } from "./ScriptRunner.js"

/** Redis server: a URL such as `redis://user:password@host:6379/0`, or a client of the `redis` library. */
export type Redis =
  | { readonly url: string }
  | {
    /** A client, pool, cluster or sentinel. Its owner connects it, handles its errors and closes it. */
    readonly client: ScriptClient
  }

/** Options of {@link layer}. */
export type Options = Redis & {
  /** Prefix of all keys; default `trunkline:`. A prefix with a hash tag keeps all keys on one cluster node. */
  readonly prefix?: string
  /** Number of processes that share the limits; each counts its share while Redis is unavailable. Default 1. */
  readonly processes?: number
  /** Leases units of busy buckets ahead; default true. */
  readonly lease?: boolean
  /** Time after which an unanswered script makes Redis count as unavailable; default 250 ms. */
  readonly timeout?: Duration.DurationInput
}

/**
 * Stores buckets and slots in Redis 6 or later, for servers of several processes. Time is the clock of Redis, and each
 * decision is one atomic script in one round trip. Keys expire when they are no longer needed.
 *
 * Leases (docs/decisions.md, 35). Units of a bucket that refills with at least 8 per second are leased ahead while it is
 * requested often: at most the refill of 0.25 s, and 32. Concurrent requests for one unit share a round trip. Requests for
 * several buckets, requests larger than the remaining lease, and all slower buckets are decided exactly by Redis.
 * - Admitted units were taken in Redis before, so the total since a full bucket never exceeds the bucket. They may have
 *   been taken up to 1 s earlier: a period that begins in between can additionally contain the units leased at its
 *   beginning, at most the largest lease minus one per process.
 * - A process that stops requesting loses its remaining lease after 1 s, at most the largest lease minus one, and another
 *   process may be rejected for that. Leases follow the demand of a process, so steady demand loses nothing.
 * - `admitted` and `retryAfter` are exact, with all leased units counted as used. For a decision from a lease, `remaining`
 *   and `resetAfter` are as of the last round trip, at most 1 s ago, without units taken by other processes or, for
 *   `remaining`, refilled since; `at` continues with the clock of this process.
 *
 * Outages. When Redis refuses the connection, responds with an error or does not respond in time, every decision is made
 * in memory immediately, with Effect's Clock and `limit / processes` (at least 1); buckets start full. One warning is
 * logged, and one line on recovery; neither contains the address. Slots held by this process stay held, and those taken
 * meanwhile count in Redis once they are renewed. Nothing is queued. A request that was interrupted or answered too late
 * may have taken its units. A Redis that lost its keys has full buckets and free slots.
 *
 * Redis Cluster. The hash tag of a key is its owner, so buckets of different owners are mostly on different nodes, and a
 * cluster rejects one call for several of them: such calls are counted in memory, with one warning. If you need them, use
 * a prefix with its own hash tag, such as `{limits}:`, which keeps all keys on one node.
 *
 * @example
 * ```ts
 * const limits = RateLimits.layer().pipe(Layer.provide(LimitsRedis.layer({ url: "redis://127.0.0.1:6379" })))
 * ```
 */
export const layer = (options: Options): Layer.Layer<BucketStore | SlotStore> =>
  Layer.scopedContext(Effect.gen(function*() {
    const { lease = true, prefix = "trunkline:", processes = 1, timeout = "250 millis" } = options
    const runner = yield* "url" in options
      ? Effect.gen(function*() {
        const client = yield* makeClient(options.url)
        const runner = yield* makeScriptRunner({ client, prefix, timeout })
        yield* connect(client, runner.reportLost)
        return runner
      })
      : makeScriptRunner({ client: options.client, prefix, timeout })
    const local = yield* Layer.build(Layer.merge(BucketStore.layerMemory, SlotStore.layerMemory))
    const share = (limit: number) => Math.max(1, Math.floor(limit / processes))
    // The length separates owners and names that contain the separators.
    const keyIn = (kind: string) => ({ name, owner }: { readonly name: string; readonly owner: string }) =>
      `${prefix}${kind}:${owner.length}:{${owner}}:${name}`
    const buckets = makeBucketStore({
      runner,
      keyOf: keyIn("bucket"),
      local: Context.get(local, BucketStore),
      share,
      processes,
      lease
    })
    const slots = makeSlotStore({ runner, keyOf: keyIn("slots"), local: Context.get(local, SlotStore), share })
    return Context.make(BucketStore, buckets).pipe(Context.add(SlotStore, slots))
  }))
