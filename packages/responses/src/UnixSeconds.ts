import { Clock, Effect } from "effect"

/** Now, in Unix seconds with their milliseconds. */
export const unixSeconds: Effect.Effect<number> = Effect.map(
  Clock.currentTimeMillis,
  (now) => Math.floor(now) / 1_000
)
