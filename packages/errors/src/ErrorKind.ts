import { Schema } from "effect"
import type { MainCode } from "./Codes.js"

/** Kinds of failures in the words of OpenAI, which its clients show as `type`. */
export const ErrorKind = Schema.Literal(
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "insufficient_quota",
  "rate_limit_error",
  "server_error"
)
export type ErrorKind = typeof ErrorKind.Type

/** The kind of failure that each code of the main API stands for. */
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
