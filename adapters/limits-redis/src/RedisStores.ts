import type { Bucket, Buckets, BucketStore, Slot, SlotStore, TakeResult } from "@trunkline/rate-limits"
import { type Context, Effect } from "effect"
import { largestLease, Leases } from "./Leases.js"
import { grantOf, heldScript, holdScript, type LuaScript, releaseScript, takeInput, takeScript } from "./LuaScripts.js"
import type { ScriptRunner } from "./ScriptRunner.js"

type Store = Context.Tag.Service<BucketStore>

/** Makes a bucket store in Redis, with a fallback to `local` and its share of the limits. */
export const makeBucketStore = (
  options: {
    readonly runner: ScriptRunner
    readonly keyOf: (bucket: Bucket) => string
    readonly local: Store
    readonly share: (limit: number) => number
    readonly processes: number
    readonly lease: boolean
  }
): Store => {
  const { keyOf, lease, local, processes, runner, share } = options

  const takeLocally: Store["take"] = ([first, ...others], cost) => {
    const shareOf = (bucket: Bucket): Bucket => ({
      ...bucket,
      interval: bucket.interval * processes,
      burst: Math.max(cost, share(bucket.burst))
    })
    return local.take([shareOf(first), ...others.map(shareOf)], cost)
  }

  const leases = new Leases({
    now: () => performance.now(),
    fetch: ({ bucket, key, want }, onGrant) =>
      runner.run(
        takeScript,
        takeInput({ keys: [key], buckets: [bucket], need: 1, want }),
        (reply) => onGrant(reply && grantOf(reply))
      )
  })

  const takeLeased = (key: string, bucket: Bucket): Effect.Effect<TakeResult> =>
    Effect.async((resume) =>
      leases.join(
        key,
        bucket,
        (result) => resume(result === undefined ? takeLocally([bucket], 1) : Effect.succeed(result))
      )
    )

  const takeExactly: Store["take"] = (buckets, cost) =>
    Effect.async((resume) => {
      const input = takeInput({ keys: buckets.map(keyOf), buckets, need: cost, want: cost })
      runner.run(takeScript, input, (reply) => {
        if (reply === undefined) return resume(takeLocally(buckets, cost))
        const { at, granted, remaining, resetAfter, retryAfter } = grantOf(reply)
        resume(Effect.succeed({ isAdmitted: granted === cost, remaining, retryAfter, resetAfter, at }))
      })
    })

  const isLeased = ([bucket, second]: Buckets) => lease && second === undefined && largestLease(bucket) > 1

  return {
    take: (buckets, cost) =>
      Effect.suspend(() => {
        if (!isLeased(buckets)) return takeExactly(buckets, cost)
        const [bucket] = buckets
        const key = keyOf(bucket)
        const result = leases.serve(key, cost)
        if (result !== undefined) return Effect.succeed(result)
        return cost === 1 ? takeLeased(key, bucket) : takeExactly(buckets, cost)
      }),
    takeNow: (buckets, cost) => isLeased(buckets) ? leases.serve(keyOf(buckets[0]), cost) : undefined
  }
}

type Slots = Context.Tag.Service<SlotStore>
type SlotGroup = Pick<Slot, "owner" | "name">

/**
 * Makes a slot store in Redis. `local` also records the slots taken through this store, so that it can take over, with its
 * share of the limit, when Redis is unavailable.
 */
export const makeSlotStore = (
  options: {
    readonly runner: ScriptRunner
    readonly keyOf: (slots: SlotGroup) => string
    readonly local: Slots
    readonly share: (limit: number) => number
  }
): Slots => {
  const { keyOf, local, runner, share } = options

  const runScript = (script: LuaScript, slots: SlotGroup, args: ReadonlyArray<string | number>) =>
    Effect.async<number | undefined>((resume) =>
      runner.run(
        script,
        { keys: [keyOf(slots)], arguments: args.map(String) },
        (reply) => resume(Effect.succeed(reply?.[0]))
      )
    )

  const hold = Effect.fn("SlotStoreRedis.hold")(function*(...[slot, { limit, ttl }]: Parameters<Slots["hold"]>) {
    const result = yield* runScript(holdScript, slot, [slot.holder, limit, Math.round(ttl * 1000)])
    if (result === undefined) return yield* local.hold(slot, { limit: share(limit), ttl })
    if (result === 0) return yield* Effect.as(local.release(slot), false)
    return yield* local.hold(slot, { limit: Number.MAX_SAFE_INTEGER, ttl })
  })

  const release = Effect.fn("SlotStoreRedis.release")(function*(slot: Slot) {
    yield* local.release(slot)
    yield* runScript(releaseScript, slot, [slot.holder])
  })

  const countHeld = Effect.fn("SlotStoreRedis.countHeld")(function*(slots: SlotGroup) {
    return (yield* runScript(heldScript, slots, [])) ?? (yield* local.countHeld(slots))
  })

  return { hold, release, countHeld }
}
