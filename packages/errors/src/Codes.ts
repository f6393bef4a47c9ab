import { neverRetry, type RetryAdvice, retryOnVoices, retryWithBackoff } from "./RetryAdvice.js"

/** The statuses a code may travel under, the usual one first, and what a caller should do about it. */
export interface CodeEntry {
  readonly statuses: readonly [number, ...ReadonlyArray<number>]
  readonly advice: RetryAdvice
}

/** Every error code of the main API (specification, Errors). */
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

/** A code of the main API's error envelope. */
export type MainCode = keyof typeof mainCodes

/** Every error code of the analytics boards (shapes 1.4, decisions 8). */
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
  INTERNAL: { statuses: [500], advice: retryWithBackoff }
} as const satisfies Record<string, CodeEntry>

/** A code of the boards' error envelope. */
export type BoardsCode = keyof typeof boardsCodes
