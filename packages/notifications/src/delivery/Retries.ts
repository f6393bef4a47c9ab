import { Duration, Option } from "effect"

/** Result of a delivery attempt. */
export type DeliveryResult =
  | { readonly end: "delivered" }
  /** A retry would fail as well. */
  | { readonly end: "failed"; readonly error: string }
  /** A retry may succeed; `retryAfter` is the delay that the receiver requested, in milliseconds. */
  | { readonly end: "retry"; readonly error: string; readonly retryAfter: number }
  /** The delivery was claimed again or removed meanwhile; the result must not be recorded. */
  | { readonly end: "lost" }

/** Delays after the first, second and third failed attempt (docs/decisions.md, 80). */
const delays = [Duration.seconds(30), Duration.seconds(60), Duration.seconds(120)].map(Duration.toMillis)

/** Most attempts of a delivery: one at once, and one after each delay. */
export const maxAttempts = delays.length + 1

/** Maximum random extension of a delay, so that simultaneous failures do not retry simultaneously. */
const retryJitter = 0.2

/** Longest delay that a receiver may request. */
const maxRetryAfter = Duration.toMillis("1 hour")

/**
 * Delay after attempt number `tries` (from 1) in milliseconds, or none after the last attempt. `random`, in [0, 1),
 * extends it by up to a fifth; `retryAfter`, requested by the receiver, extends it to at most an hour.
 */
export const retryDelay = (tries: number, random: number, retryAfter = 0): Option.Option<number> =>
  Option.map(
    Option.fromNullable(delays[tries - 1]),
    (delay) => Math.max(Math.round(delay * (1 + retryJitter * random)), Math.min(retryAfter, maxRetryAfter))
  )

/** Parses a `Retry-After` header in whole seconds to milliseconds; 0 without one. */
export const parseRetryAfter = (header: string | undefined): number =>
  /^\d{1,9}$/.test(header?.trim() ?? "") ? Number(header) * 1000 : 0
