import { Context, type Effect } from "effect"

/** Remembers how far business time has come, so that a restart never moves it backwards. */
export class BusinessWatermark extends Context.Tag("@trunkline/storage-kysely/BusinessWatermark")<BusinessWatermark, {
  /** The highest time saved, in milliseconds since 1970; null before the first. */
  readonly load: Effect.Effect<number | null>
  /** Saves a time; one that is lower than the highest changes nothing. */
  readonly save: (at: number) => Effect.Effect<void>
}>() {}
