import { ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { Duration } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { defaultRetryDelay, type UpstreamError, type UpstreamFailure } from "./UpstreamError.js"

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

/** Kinds of error that the status of an upstream's response stands for. */
export type StatusErrorKind =
  /** The request is invalid: 400, 422. */
  | "badRequest"
  /** The request is too large: 413. */
  | "tooLarge"
  /** The type of the body is not supported: 415. */
  | "unsupportedType"
  /** The key is refused: 401, 403. */
  | "unauthorized"
  /** The account is used up: 402. */
  | "paymentRequired"
  /** The model or address is unknown: 404. */
  | "notFound"
  /** The server did not respond in time: 408, 504, and 524 of proxies. */
  | "timeout"
  /** Too many requests: 429. */
  | "rateLimited"
  /** Overloaded or out of service: 503, 529, and 521 to 523 of proxies that do not reach the server behind them. */
  | "overloaded"
  /** Any other status. */
  | "failed"

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

/** Wait reported for a rate limit whose server does not say when to retry. */
export const defaultRetryAfter = Duration.seconds(1)

const failureOf = (who: string, status: number, wait: Duration.Duration): UpstreamFailure => {
  switch (statusErrorKind(status)) {
    case "badRequest":
    case "tooLarge":
    case "unsupportedType":
      return new ModelFailed({ message: `The ${who} does not accept this request` })
    case "unauthorized":
      return new ModelUnavailable({ message: `The ${who} refused our key`, lasting: true })
    case "paymentRequired":
      return new ModelUnavailable({ message: `Our account with the ${who} is used up`, lasting: true })
    case "notFound":
      return new ModelUnavailable({ message: `The ${who} does not have this model, or this address`, lasting: true })
    case "timeout":
      return new ModelTimedOut({ message: `The ${who} did not answer in time` })
    case "rateLimited":
      return new ModelRateLimited({ message: `The ${who} has had enough requests for now`, retryAfter: wait })
    case "overloaded":
      return new ModelUnavailable({ message: `The ${who} is overloaded or out of service. Try again later.` })
    case "failed":
      return new ModelFailed({ message: `The ${who} failed. Try again.` })
  }
}

/** Longest `Retry-After` after which the same request is sent again. */
const maxRetryDelay = Duration.seconds(2)

/** Statuses after which the same request may succeed; 429 only if the server says when to retry. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504])

const retryDelayAfter = (status: number, serverDelay: Duration.Duration | null): Duration.Duration | null => {
  if (!retryable.has(status) || (status === 429 && serverDelay === null)) return null
  const delay = Duration.max(serverDelay ?? defaultRetryDelay, defaultRetryDelay)
  return Duration.lessThanOrEqualTo(delay, maxRetryDelay) ? delay : null
}

/** Translates a status other than 2xx, redirects included. The body is not read: it may hold texts and keys. */
export const statusError = (who: string, status: number, headers: IncomingHttpHeaders): UpstreamError => {
  const serverDelay = retryAfter(headers, Date.now())
  return {
    failure: failureOf(who, status, serverDelay ?? defaultRetryAfter),
    note: `status ${status}`,
    retryDelay: retryDelayAfter(status, serverDelay)
  }
}
