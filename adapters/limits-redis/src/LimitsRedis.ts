import { BucketStore, SlotStore } from "@trunkline/rate-limits"
import { Context, type Duration, Effect, Layer } from "effect"
import { makeBucketStore } from "./BucketStoreRedis.js"
import { connect, ownClient } from "./OwnClient.js"
import { makeLink, type ScriptClient } from "./RedisLink.js"
import { makeSlotStore } from "./SlotStoreRedis.js"

export type { ScriptClient } from "./RedisLink.js"

/** Where Redis is: an address, such as `redis://user:password@host:6379/0`, or a client of the `redis` library. */
export type Redis =
  | { readonly url: string }
  | {
    /** Its owner connects it, has it reconnect, listens for its errors and closes it. Pools, clusters and sentinels do. */
    readonly client: ScriptClient
  }

/** How limits are kept in Redis. */
export type Options = Redis & {
  /** What every key begins with; `trunkline:` when absent. One with a hash tag keeps every key on one node. */
  readonly prefix?: string
  /** How many processes share the limits: each has its part of them while Redis is away. 1 when absent. */
  readonly processes?: number
  /** Whether units of busy buckets are taken ahead; true when absent. */
  readonly lease?: boolean
  /** How long a decision may take before Redis counts as away; 250 ms when absent. */
  readonly timeout?: Duration.DurationInput
}

/**
 * Keeps buckets and slots in Redis (6 or later), for servers of several processes. The clock is that of Redis, and each
 * decision is one script, so one round trip that nothing comes between. Keys go by themselves when they mean nothing.
 *
 * Leases. Units of a bucket that refills with 8 a second or more are taken ahead while it is asked for often: at most
 * what refills in 0.25 s, and 32 (reliability 2.2). Asks of one unit that arrive together share a round trip. Asks of
 * several buckets, asks dearer than what is left of a lease, and all slower buckets are decided by Redis, exactly.
 * - What is admitted was taken in Redis before, so since a bucket was full it is never more than the bucket gave. It may
 *   have been taken up to 1 s before: in a span that begins in between, what was leased at its beginning comes on top,
 *   at most one unit less than the largest lease for each process.
 * - A process that stops asking loses what is left of its lease after 1 s, again at most one unit less than the largest,
 *   and another may be refused for that. Leases follow how much a process asks for, so steady asking loses nothing.
 * - `admitted` and `retryAfter` are exact, with all leased units counted as spent. What is served from a lease tells
 *   the rest as of the last round trip, at most 1 s ago: `remaining` and `resetAfter` leave out what other processes
 *   took and `remaining` what was refilled since; `at` goes on by the clock of this process.
 *
 * Outages. When Redis refuses the connection, answers with an error or not in time, it is away, and every decision is
 * made in memory at once, by Effect's Clock, with `limit / processes`, at least 1; buckets start full. One warning says
 * so, one line when it is back; neither tells the address. Slots that this process holds stay held, and those taken in
 * the meantime count in Redis once they are renewed. Nothing is queued for later. An ask that was interrupted, or that
 * Redis answered too late, may have taken its units. A Redis that lost its keys has full buckets and free slots.
 *
 * Redis Cluster. A key's hash tag is its owner. Buckets of different owners are mostly on different nodes, and a
 * cluster refuses to take from them in one call: such calls are counted in memory, with one warning. Where they are
 * wanted, choose a prefix with a hash tag of its own, such as `{limits}:`; every key is then on one node.
 */
export const layer = (options: Options): Layer.Layer<BucketStore | SlotStore> =>
  Layer.scopedContext(Effect.gen(function*() {
    const { lease = true, prefix = "trunkline:", processes = 1, timeout = "250 millis" } = options
    const link = yield* "url" in options
      ? Effect.gen(function*() {
        const client = yield* ownClient(options.url)
        const link = yield* makeLink({ client, prefix, timeout })
        yield* connect(client, link.lost)
        return link
      })
      : makeLink({ client: options.client, prefix, timeout })
    const local = yield* Layer.build(Layer.merge(BucketStore.layerMemory, SlotStore.layerMemory))
    const share = (limit: number) => Math.max(1, Math.floor(limit / processes))
    // The length keeps owners and names apart that hold the marks between them.
    const keyIn = (kind: string) => ({ name, owner }: { readonly name: string; readonly owner: string }) =>
      `${prefix}${kind}:${owner.length}:{${owner}}:${name}`
    const buckets = makeBucketStore({
      link,
      keyOf: keyIn("bucket"),
      local: Context.get(local, BucketStore),
      share,
      processes,
      lease
    })
    const slots = makeSlotStore({ link, keyOf: keyIn("slots"), local: Context.get(local, SlotStore), share })
    return Context.make(BucketStore, buckets).pipe(Context.add(SlotStore, slots))
  }))
