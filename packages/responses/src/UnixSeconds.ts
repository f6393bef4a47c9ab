import { Clock, Effect } from "effect"

/** Now, in whole Unix seconds. */
export const unixSeconds: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1_000))
