import { Duration } from "effect"
import type { IncomingHttpHeaders } from "node:http"

/** No server keeps us away for longer: what says more is a mistake, or better tried again than believed. */
const longest = Duration.hours(1)

/**
 * The time until a server wants to be asked again, by its `Retry-After`: seconds, or a date (RFC 9110, 10.2.3); null
 * where it does not say.
 */
export const retryAfter = (headers: IncomingHttpHeaders, now: number): Duration.Duration | null => {
  const text = headers["retry-after"]?.trim() ?? ""
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1_000
  return Number.isNaN(seconds) ? null : Duration.min(longest, Duration.seconds(Math.max(0, seconds)))
}
