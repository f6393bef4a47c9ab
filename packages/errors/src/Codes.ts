import { Option, Schema } from "effect"

/** Guidance on retrying after a failure with a given code. */
export interface RetryAdvice {
  /** Routes on which repeating the same request can help: none, voice routes only, or all. */
  readonly retry: "never" | "on_voices" | "always"
  /** Delay before the first retry, in seconds; it doubles with each retry up to `maxSeconds`. */
  readonly startSeconds: number
  /** The longest delay between two tries, in seconds. */
  readonly maxSeconds: number
}

/** Advice for failures that the same request would meet again. */
const neverRetry: RetryAdvice = { retry: "never", startSeconds: 0, maxSeconds: 0 }

/** Advice for temporary failures: wait 1 second, then double the delay up to a minute. */
export const retryWithBackoff: RetryAdvice = { retry: "always", startSeconds: 1, maxSeconds: 60 }

/** Advice for 502 and 504, which are worth a retry on voice routes only. */
const retryOnVoices: RetryAdvice = { ...retryWithBackoff, retry: "on_voices" }

/**
 * Delay in seconds before a retry, counted from 1: 1, 2, 4 and so on up to the cap; none if the advice is not to retry.
 * A `Retry-After` header takes precedence, and workers that share an API key should add jitter.
 */
export const retryDelay = (advice: RetryAdvice, tryNumber: number): Option.Option<number> =>
  advice.retry === "never"
    ? Option.none()
    : Option.some(Math.min(advice.maxSeconds, advice.startSeconds * 2 ** (Math.max(1, tryNumber) - 1)))

/** HTTP statuses of an error code, the usual one first, with advice on retrying. */
export interface CodeEntry {
  readonly statuses: readonly [number, ...ReadonlyArray<number>]
  readonly advice: RetryAdvice
}

/** Error codes of the main API. */
export const mainCodes = {
  invalid_request_error: { statuses: [400, 405, 413, 415, 422], advice: neverRetry },
  unprocessable_entity_error: { statuses: [422], advice: neverRetry },
  not_found_error: { statuses: [404], advice: neverRetry },
  invalid_api_key_error: { statuses: [403], advice: neverRetry },
  authentication_error: { statuses: [403], advice: neverRetry },
  insufficient_quota_error: { statuses: [429, 402], advice: neverRetry },
  rate_limit_exceeded_error: { statuses: [429, 503], advice: retryWithBackoff },
  internal_server_error: { statuses: [500, 503], advice: retryWithBackoff },
  model_call_error: { statuses: [503], advice: retryWithBackoff },
  gateway_timeout_error: { statuses: [504, 408], advice: retryOnVoices },
  billing_service_unavailable_error: { statuses: [502], advice: retryOnVoices },
  model_rate_limit_exceeded_error: { statuses: [429], advice: retryWithBackoff },
  model_call_failed: { statuses: [502], advice: neverRetry },
  model_overloaded: { statuses: [503], advice: retryWithBackoff },
  TIER_LIMIT_REACHED: { statuses: [403], advice: neverRetry }
} as const satisfies Record<string, CodeEntry>

/** An error code of the main API. */
export type MainCode = keyof typeof mainCodes

/** Error codes of the analytics boards. */
export const boardsCodes = {
  TIMEOUT: { statuses: [408], advice: neverRetry },
  FORBIDDEN_TABLE: { statuses: [400], advice: neverRetry },
  TENANT_ISOLATION_BREACH: { statuses: [403], advice: neverRetry },
  INVALID_SQL: { statuses: [400], advice: neverRetry },
  NOT_READ_ONLY: { statuses: [400], advice: neverRetry },
  MULTIPLE_STATEMENTS: { statuses: [400], advice: neverRetry },
  FORBIDDEN_FUNCTION: { statuses: [400], advice: neverRetry },
  UNKNOWN_FILTER: { statuses: [400], advice: neverRetry },
  MISSING_FILTER_VALUE: { statuses: [400], advice: neverRetry },
  INVALID_FILTER_VALUE: { statuses: [400], advice: neverRetry },
  INVALID_CRON: { statuses: [400], advice: neverRetry },
  CRON_TOO_FREQUENT: { statuses: [400], advice: neverRetry },
  NO_DELIVERY_CHANNEL: { statuses: [400], advice: neverRetry },
  WIDGET_NOT_ON_BOARD: { statuses: [400], advice: neverRetry },
  DUPLICATE_NAME: { statuses: [400], advice: neverRetry },
  LAST_TAB: { statuses: [400], advice: neverRetry },
  RESOURCE_LIMIT: { statuses: [400], advice: neverRetry },
  INVALID_REQUEST: { statuses: [400, 413, 415], advice: neverRetry },
  UNAUTHORIZED: { statuses: [401], advice: neverRetry },
  FORBIDDEN: { statuses: [403], advice: neverRetry },
  NOT_FOUND: { statuses: [404], advice: neverRetry },
  METHOD_NOT_ALLOWED: { statuses: [405], advice: neverRetry },
  RATE_LIMITED: { statuses: [429], advice: retryWithBackoff },
  INTERNAL: { statuses: [500, 503], advice: retryWithBackoff }
} as const satisfies Record<string, CodeEntry>

/** An error code of the analytics boards. */
export type BoardsCode = keyof typeof boardsCodes

/** Kinds of failures in OpenAI's vocabulary, which its clients show as `type`. */
export const ErrorKind = Schema.Literal(
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "insufficient_quota",
  "rate_limit_error",
  "server_error"
)
export type ErrorKind = typeof ErrorKind.Type

/** Kind of failure of each code of the main API. */
export const errorKinds: Readonly<Record<MainCode, ErrorKind>> = {
  invalid_request_error: "invalid_request_error",
  unprocessable_entity_error: "invalid_request_error",
  not_found_error: "invalid_request_error",
  invalid_api_key_error: "authentication_error",
  authentication_error: "permission_error",
  TIER_LIMIT_REACHED: "permission_error",
  insufficient_quota_error: "insufficient_quota",
  rate_limit_exceeded_error: "rate_limit_error",
  model_rate_limit_exceeded_error: "rate_limit_error",
  internal_server_error: "server_error",
  model_call_error: "server_error",
  model_call_failed: "server_error",
  model_overloaded: "server_error",
  gateway_timeout_error: "server_error",
  billing_service_unavailable_error: "server_error"
}
