import { Context, type Effect } from "effect"

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
}>() {}
