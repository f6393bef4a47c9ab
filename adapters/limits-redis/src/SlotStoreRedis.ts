import type { Slot, SlotStore } from "@trunkline/rate-limits"
import { type Context, Effect } from "effect"
import type { LuaScript } from "./LuaScript.js"
import type { RedisLink } from "./RedisLink.js"
import { heldScript, holdScript, releaseScript } from "./SlotScripts.js"

type Store = Context.Tag.Service<SlotStore>
type Slots = Pick<Slot, "owner" | "name">

/**
 * Places in Redis. `local` knows those that were taken through this store, so that it can go on with them, and its
 * share of the limit, where Redis does not answer.
 */
export const makeSlotStore = (
  options: {
    readonly link: RedisLink
    readonly keyOf: (slots: Slots) => string
    readonly local: Store
    readonly share: (limit: number) => number
  }
): Store => {
  const { keyOf, link, local, share } = options

  const ask = (script: LuaScript, slots: Slots, args: ReadonlyArray<string | number>) =>
    Effect.async<number | undefined>((resume) =>
      link.run(
        script,
        { keys: [keyOf(slots)], arguments: args.map(String) },
        (reply) => resume(Effect.succeed(reply?.[0]))
      )
    )

  const hold = Effect.fn("SlotStoreRedis.hold")(function*(...[slot, { limit, ttl }]: Parameters<Store["hold"]>) {
    const held = yield* ask(holdScript, slot, [slot.holder, limit, Math.round(ttl * 1000)])
    if (held === undefined) return yield* local.hold(slot, { limit: share(limit), ttl })
    if (held === 0) return yield* Effect.as(local.release(slot), false)
    return yield* local.hold(slot, { limit: Number.MAX_SAFE_INTEGER, ttl })
  })

  const release = Effect.fn("SlotStoreRedis.release")(function*(slot: Slot) {
    yield* local.release(slot)
    yield* ask(releaseScript, slot, [slot.holder])
  })

  const held = Effect.fn("SlotStoreRedis.held")(function*(slots: Slots) {
    return (yield* ask(heldScript, slots, [])) ?? (yield* local.held(slots))
  })

  return { hold, release, held }
}
