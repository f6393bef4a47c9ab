import type { BoardsCode, MainCode } from "./Codes.js"
import type { Failure } from "./Errors.js"

/** Routes that share a format of error responses; `org` includes call analytics. */
export type Family = "org" | "chat" | "responses" | "voices" | "boards"

type Rule<Code> = readonly [status: number, code: Code]

/** Status and code of each failure, by tag. */
export type MainRules = { readonly [Tag in Failure["_tag"]]: Rule<MainCode> }

/** Default status and code of each failure. `BoardsFailure` occurs on boards only. */
export const mainRules: MainRules = {
  NotFound: [404, "not_found_error"],
  Invalid: [400, "invalid_request_error"],
  RuleViolation: [422, "unprocessable_entity_error"],
  BadRequest: [400, "invalid_request_error"],
  MalformedBody: [400, "invalid_request_error"],
  BodyTooLarge: [413, "invalid_request_error"],
  UnsupportedContentType: [415, "invalid_request_error"],
  RouteNotFound: [404, "not_found_error"],
  MethodNotAllowed: [405, "invalid_request_error"],
  InvalidApiKey: [403, "invalid_api_key_error"],
  NotAllowed: [403, "authentication_error"],
  TierLimitReached: [403, "TIER_LIMIT_REACHED"],
  RateLimited: [429, "rate_limit_exceeded_error"],
  Overloaded: [503, "rate_limit_exceeded_error"],
  InsufficientCredits: [429, "insufficient_quota_error"],
  BillingUnavailable: [502, "billing_service_unavailable_error"],
  ModelUnavailable: [503, "model_call_error"],
  ModelFailed: [503, "model_call_error"],
  ModelRateLimited: [429, "rate_limit_exceeded_error"],
  ModelTimedOut: [504, "gateway_timeout_error"],
  TimedOut: [408, "gateway_timeout_error"],
  Unavailable: [503, "internal_server_error"],
  NotServedHere: [503, "internal_server_error"],
  BoardsFailure: [400, "invalid_request_error"]
}

/** Exceptions of each family of the main API. */
export const familyRules: { readonly [F in Exclude<Family, "boards">]: Partial<MainRules> } = {
  org: {
    Invalid: [422, "invalid_request_error"],
    MalformedBody: [422, "invalid_request_error"]
  },
  chat: {},
  responses: {
    ModelUnavailable: [503, "model_overloaded"],
    ModelFailed: [502, "model_call_failed"],
    ModelRateLimited: [429, "model_rate_limit_exceeded_error"]
  },
  voices: {
    Invalid: [422, "invalid_request_error"],
    MalformedBody: [422, "invalid_request_error"],
    InsufficientCredits: [402, "insufficient_quota_error"],
    ModelFailed: [500, "internal_server_error"]
  }
}

/** Status and code of failures on boards, except for `BoardsFailure`; `Invalid` has a body without a code. */
export const boardsRules: {
  readonly [Tag in Exclude<Failure["_tag"], "BoardsFailure" | "Invalid" | "RuleViolation">]: Rule<BoardsCode>
} = {
  NotFound: [404, "NOT_FOUND"],
  BadRequest: [400, "INVALID_REQUEST"],
  MalformedBody: [400, "INVALID_REQUEST"],
  BodyTooLarge: [413, "INVALID_REQUEST"],
  UnsupportedContentType: [415, "INVALID_REQUEST"],
  RouteNotFound: [404, "NOT_FOUND"],
  MethodNotAllowed: [405, "METHOD_NOT_ALLOWED"],
  InvalidApiKey: [401, "UNAUTHORIZED"],
  NotAllowed: [403, "FORBIDDEN"],
  TierLimitReached: [403, "FORBIDDEN"],
  RateLimited: [429, "RATE_LIMITED"],
  Overloaded: [429, "RATE_LIMITED"],
  InsufficientCredits: [403, "FORBIDDEN"],
  BillingUnavailable: [500, "INTERNAL"],
  ModelUnavailable: [500, "INTERNAL"],
  ModelFailed: [500, "INTERNAL"],
  ModelRateLimited: [429, "RATE_LIMITED"],
  ModelTimedOut: [500, "INTERNAL"],
  TimedOut: [408, "TIMEOUT"],
  Unavailable: [500, "INTERNAL"],
  NotServedHere: [503, "INTERNAL"]
}
