import { BusinessTime } from "@trunkline/kernel"
import { Effect } from "effect"

/** Time of a `w` among keys, in milliseconds. */
const pauseMillis = 500

/** Time that a key takes with the pause after it, in milliseconds: no line is slower. */
const keyMillis = 250

/**
 * Sends keys to the other side: `0` to `9`, `*`, `#`, `A` to `D`, and `w` for a pause of half a second. Completes when the last
 * one was sent.
 */
export const sendKeys = <E>(press: (digits: string) => Effect.Effect<void, E>, keys: string): Effect.Effect<void, E> =>
  Effect.forEach(keys.match(/w|[^w]+/g) ?? [], (part) =>
    part === "w"
      ? BusinessTime.sleep(pauseMillis)
      : Effect.zipRight(press(part), BusinessTime.sleep(part.length * keyMillis)), { discard: true })
