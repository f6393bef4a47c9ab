import { Context, type Effect } from "effect"

/** Remembers how far business time has come, so that a restart never moves it backwards. */
export class BusinessWatermark extends Context.Tag("@trunkline/storage-kysely/BusinessWatermark")<BusinessWatermark, {
  /** The time saved last, in milliseconds since 1970; null before the first. */
  readonly load: Effect.Effect<number | null>
  /** Saves a time in place of the last one. */
  readonly save: (at: number) => Effect.Effect<void>
}>() {}
