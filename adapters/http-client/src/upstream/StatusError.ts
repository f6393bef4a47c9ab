import { Duration } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import {
  defaultRetryAfter,
  failureOf,
  passingFaults,
  type ProviderFault,
  type StatusErrorKind
} from "./ProviderFault.js"
import { defaultRetryDelay, type UpstreamError } from "./UpstreamError.js"

/** Upper bound of a server's `Retry-After`: a longer one is a mistake, or better tried again than believed. */
const maxRetryAfter = Duration.hours(1)

const isNumber = /^\d+(\.\d+)?$/

/** All three forms of an HTTP date (RFC 9110, section 5.6.7) begin with the weekday; only one of them omits GMT. */
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
 * Reads how long a server asks its clients to wait; null when it does not say. `Retry-After` holds seconds or a date
 * (RFC 9110, section 10.2.3); `retry-after-ms` is more precise and wins where both are sent. At most an hour.
 */
export const retryAfter = (headers: IncomingHttpHeaders, now: number): Duration.Duration | null => {
  const millis = millisIn(headers, now)
  return millis === null ? null : Duration.min(maxRetryAfter, Duration.millis(millis))
}

const kinds: ReadonlyMap<number, StatusErrorKind> = new Map([
  [400, "badRequest"],
  [401, "unauthorized"],
  [402, "paymentRequired"],
  [403, "unauthorized"],
  [404, "notFound"],
  [408, "timeout"],
  [413, "tooLarge"],
  [415, "unsupportedType"],
  [422, "badRequest"],
  [429, "rateLimited"],
  [503, "overloaded"],
  [504, "timeout"],
  [521, "overloaded"],
  [522, "overloaded"],
  [523, "overloaded"],
  [524, "timeout"],
  [529, "overloaded"]
])

/** Classifies the status of an upstream's response, redirects included, unless it is 2xx. */
export const statusErrorKind = (status: number): StatusErrorKind => kinds.get(status) ?? "failed"

/** Longest `Retry-After` after which the same request is sent again. */
const maxRetryDelay = Duration.seconds(2)

/** Statuses after which the same request may succeed; 429 only if the server says when to retry. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504])

const retryDelayAfter = (status: number, serverDelay: Duration.Duration | null): Duration.Duration | null => {
  if (!retryable.has(status) || (status === 429 && serverDelay === null)) return null
  const delay = Duration.max(serverDelay ?? defaultRetryDelay, defaultRetryDelay)
  return Duration.lessThanOrEqualTo(delay, maxRetryDelay) ? delay : null
}

/**
 * Translates a status other than 2xx, redirects included. `fault` is what the body says where somebody who knows the provider
 * read it; by default the body is not read, since it may hold texts and keys.
 */
export const statusError = (
  serverName: string,
  status: number,
  headers: IncomingHttpHeaders,
  fault: ProviderFault = statusErrorKind(status)
): UpstreamError => {
  const serverDelay = retryAfter(headers, Date.now())
  return {
    failure: failureOf(serverName, fault, serverDelay ?? defaultRetryAfter),
    note: `status ${status}`,
    retryDelay: passingFaults.has(fault) ? retryDelayAfter(status, serverDelay) : null
  }
}

/** The error of a fault that a provider reported in a message or in the end of a connection. */
export const faultError = (serverName: string, fault: ProviderFault): UpstreamError => ({
  failure: failureOf(serverName, fault),
  note: `the provider reported ${fault}`,
  retryDelay: null
})
