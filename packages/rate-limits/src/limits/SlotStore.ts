import { Context, Effect, Layer } from "effect"
import { ExpiringMap } from "./ExpiringMap.js"

/** A slot of a limited number of slots. */
export interface Slot {
  /** Owner of the slots, such as an account id. */
  readonly owner: string
  /** Purpose of the slots. They are counted by owner and name together. */
  readonly name: string
  /** Unique id of the holder. */
  readonly holder: string
}

/**
 * Storage of leased slots, which limits how many things exist at once. A lease must be renewed, so the slots of a crashed
 * process expire. The store uses its own clock.
 */
export class SlotStore extends Context.Tag("@trunkline/rate-limits/SlotStore")<SlotStore, {
  /**
   * Takes a slot for `ttl` milliseconds, or renews the holder's slot. Returns false and changes nothing when the holder has
   * no slot and `limit` slots are taken.
   */
  readonly hold: (
    slot: Slot,
    terms: { readonly limit: number; readonly ttl: number }
  ) => Effect.Effect<boolean>
  /** Releases the holder's slot, if any. */
  readonly release: (slot: Slot) => Effect.Effect<void>
  /** Number of slots taken. */
  readonly countHeld: (slots: Pick<Slot, "owner" | "name">) => Effect.Effect<number>
}>() {
  /** Stores slots in memory, with the Clock at construction. Expired slots are removed. */
  static readonly layerMemory = Layer.effect(
    SlotStore,
    Effect.map(Effect.clock, (clock) => {
      /** Expiry of each holder's slot. */
      const slotsByOwner = new ExpiringMap<Map<string, number>>({
        create: () => new Map(),
        isExpired: (holders, now) => removeExpired(holders, now).size === 0
      })
      const removeExpired = (holders: Map<string, number>, now: number) => {
        for (const [holder, until] of holders) if (until <= now) holders.delete(holder)
        return holders
      }
      return SlotStore.of({
        hold: (slot, { limit, ttl }) =>
          Effect.sync(() => {
            const now = clock.unsafeCurrentTimeMillis()
            const holders = removeExpired(slotsByOwner.getOrCreate(slot), now)
            const isHeld = holders.has(slot.holder) || holders.size < limit
            if (isHeld) holders.set(slot.holder, now + ttl)
            slotsByOwner.sweep(now)
            return isHeld
          }),
        release: (slot) => Effect.sync(() => void slotsByOwner.get(slot)?.delete(slot.holder)),
        countHeld: (slots) =>
          Effect.sync(() => {
            const holders = slotsByOwner.get(slots)
            return holders === undefined ? 0 : removeExpired(holders, clock.unsafeCurrentTimeMillis()).size
          })
      })
    })
  )
}
