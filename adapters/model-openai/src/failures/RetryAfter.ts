import { Duration } from "effect"
import type { IncomingHttpHeaders } from "node:http"

/** For an upstream that does not say when to come back: the first pause of the specification's retry guidance. */
export const usualRetryAfter = Duration.seconds(1)

/** No upstream keeps us away for longer: what says more is a mistake, or better tried again than believed. */
const longest = Duration.hours(1)

/** The time until an upstream wants to be asked again, by its `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
export const retryAfter = (headers: IncomingHttpHeaders, now: number): Duration.Duration => {
  const text = headers["retry-after"]?.trim() ?? ""
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1_000
  return Number.isNaN(seconds) ? usualRetryAfter : Duration.min(longest, Duration.seconds(Math.max(0, seconds)))
}
