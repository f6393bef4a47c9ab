import { Duration } from "effect"
import type { IncomingHttpHeaders } from "node:http"

/** No server keeps us away for longer: what says more is a mistake, or better tried again than believed. */
const longest = Duration.hours(1)

const isNumber = /^\d+(\.\d+)?$/

/** The three forms of an HTTP date (RFC 9110, 5.6.7) begin with the day of the week, and only one leaves GMT out. */
const isDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

const millisUntil = (date: string, now: number): number | null => {
  const at = Date.parse(date.endsWith("GMT") ? date : `${date} GMT`)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

const millisIn = (headers: IncomingHttpHeaders, now: number): number | null => {
  const millis = String(headers["retry-after-ms"] ?? "").trim()
  if (isNumber.test(millis)) return Number(millis)
  const text = headers["retry-after"]?.trim() ?? ""
  if (isNumber.test(text)) return Number(text) * 1_000
  return isDate.test(text) ? millisUntil(text, now) : null
}

/**
 * The time until a server wants to be asked again; null where it does not say. By its `Retry-After`: seconds, or a date
 * (RFC 9110, 10.2.3); or more exactly by `retry-after-ms`, where it sends that as well.
 */
export const retryAfter = (headers: IncomingHttpHeaders, now: number): Duration.Duration | null => {
  const millis = millisIn(headers, now)
  return millis === null ? null : Duration.min(longest, Duration.millis(millis))
}
