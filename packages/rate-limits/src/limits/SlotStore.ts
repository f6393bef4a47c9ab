import { Context, Effect, Layer } from "effect"
import { Holdings } from "./Holdings.js"

/** A place among a limited number of places. */
export interface Slot {
  /** Who shares the places, such as an account's id. */
  readonly owner: string
  /** What the places are for. They are counted by owner and name together. */
  readonly name: string
  /** Whose place it is: an id that nobody else uses. */
  readonly holder: string
}

/**
 * Keeps count of what may exist only so many times at once. A place is lent for a while and must be renewed, so that
 * the places of a process that died come free by themselves. It decides by its own clock.
 */
export class SlotStore extends Context.Tag("@trunkline/rate-limits/SlotStore")<SlotStore, {
  /**
   * Takes a place for `ttl` milliseconds, or keeps the holder's place for as long again from now. False, and nothing
   * changes, when the holder has no place and `limit` places are taken.
   */
  readonly hold: (
    slot: Slot,
    terms: { readonly limit: number; readonly ttl: number }
  ) => Effect.Effect<boolean>
  /** Gives the holder's place back; harmless when there is none. */
  readonly release: (slot: Slot) => Effect.Effect<void>
  /** How many places are taken. */
  readonly held: (slots: Pick<Slot, "owner" | "name">) => Effect.Effect<number>
}>() {
  /** Keeps places in memory, by the Clock that it is built under. Places that were not renewed are forgotten. */
  static readonly layerMemory = Layer.effect(
    SlotStore,
    Effect.map(Effect.clock, (clock) => {
      /** Until when each holder has a place. */
      const places = new Holdings<Map<string, number>>({
        fresh: () => new Map(),
        isSpent: (holders, now) => live(holders, now).size === 0
      })
      const live = (holders: Map<string, number>, now: number) => {
        for (const [holder, until] of holders) if (until <= now) holders.delete(holder)
        return holders
      }
      return SlotStore.of({
        hold: (slot, { limit, ttl }) =>
          Effect.sync(() => {
            const now = clock.unsafeCurrentTimeMillis()
            const holders = live(places.obtain(slot), now)
            const isHeld = holders.has(slot.holder) || holders.size < limit
            if (isHeld) holders.set(slot.holder, now + ttl)
            places.tend(now)
            return isHeld
          }),
        release: (slot) => Effect.sync(() => void places.find(slot)?.delete(slot.holder)),
        held: (slots) =>
          Effect.sync(() => {
            const holders = places.find(slots)
            return holders === undefined ? 0 : live(holders, clock.unsafeCurrentTimeMillis()).size
          })
      })
    })
  )
}
