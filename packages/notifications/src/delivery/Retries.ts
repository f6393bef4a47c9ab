import { Duration, Option } from "effect"

/** Waits after the first, second and third failed try (shapes 7.6). */
const waits = [Duration.seconds(30), Duration.seconds(60), Duration.seconds(120)].map(Duration.toMillis)

/** How often a delivery is tried at most: at once, and after each wait. */
export const MAX_TRIES = waits.length + 1

/** What a wait may be longer by, so that what failed together does not return together. */
export const RETRY_JITTER = 0.2

/** The longest wait that a receiver may ask for. */
const maxRetryAfter = Duration.toMillis("1 hour")

/**
 * The wait after try number `tries` (1 for the first) in milliseconds, or none when that was the last. `random`, in
 * [0, 1), adds up to a fifth; `asked`, what the receiver asks for, makes it longer, up to an hour.
 */
export const retryWait = (tries: number, random: number, asked = 0): Option.Option<number> =>
  Option.map(
    Option.fromNullable(waits[tries - 1]),
    (wait) => Math.max(Math.round(wait * (1 + RETRY_JITTER * random)), Math.min(asked, maxRetryAfter))
  )

/** What a `Retry-After` header in whole seconds asks to wait, in milliseconds; 0 when there is none. */
export const askedWait = (header: string | undefined): number =>
  /^\d{1,9}$/.test(header?.trim() ?? "") ? Number(header) * 1000 : 0
