import {
  BadRequest,
  BillingUnavailable,
  BoardsFailure,
  BodyTooLarge,
  type Failure,
  type Family,
  InsufficientCredits,
  Invalid,
  InvalidApiKey,
  MalformedBody,
  MethodNotAllowed,
  ModelFailed,
  ModelRateLimited,
  ModelTimedOut,
  ModelUnavailable,
  NotAllowed,
  NotFound,
  NotServedHere,
  Overloaded,
  RateLimited,
  RouteNotFound,
  RuleViolation,
  TierLimitReached,
  TimedOut,
  Unavailable,
  UnsupportedContentType
} from "@trunkline/errors"
import { Duration } from "effect"

export const families: ReadonlyArray<Family> = ["org", "chat", "responses", "voices", "boards"]

export const message = "What happened"

const retryAfter = Duration.millis(1500)

/** One failure of each tag with its status and code on org, chat, responses, voices and boards. */
export const table: { readonly [Tag in Failure["_tag"]]: readonly [Failure, ...ReadonlyArray<string>] } = {
  NotFound: [
    new NotFound({ resource: "campaign", id: "camp-1" }),
    "404 not_found_error",
    "404 not_found_error",
    "404 not_found_error",
    "404 not_found_error",
    "404 NOT_FOUND"
  ],
  Invalid: [
    Invalid.at(["body", "retry", "max"], "int_type", "Must be a whole number"),
    "422 invalid_request_error +detail",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "422 invalid_request_error +detail",
    "422 +detail"
  ],
  RuleViolation: [
    RuleViolation.at(["body", "end"], "Must be after start"),
    "422 unprocessable_entity_error +detail",
    "422 unprocessable_entity_error",
    "422 unprocessable_entity_error",
    "422 unprocessable_entity_error +detail",
    "422 +detail"
  ],
  NotServedHere: [
    new NotServedHere({ needed: "boards", roles: ["api"] }),
    "503 internal_server_error",
    "503 internal_server_error",
    "503 internal_server_error",
    "503 internal_server_error",
    "503 INTERNAL"
  ],
  TimedOut: [
    new TimedOut({ message }),
    "408 gateway_timeout_error",
    "408 gateway_timeout_error",
    "408 gateway_timeout_error",
    "408 gateway_timeout_error",
    "408 TIMEOUT"
  ],
  BadRequest: [
    new BadRequest({ message, param: "store" }),
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 INVALID_REQUEST"
  ],
  MalformedBody: [
    new MalformedBody({ message }),
    "422 invalid_request_error +detail",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "422 invalid_request_error +detail",
    "400 INVALID_REQUEST"
  ],
  BodyTooLarge: [
    new BodyTooLarge({ limitBytes: 10 }),
    "413 invalid_request_error",
    "413 invalid_request_error",
    "413 invalid_request_error",
    "413 invalid_request_error",
    "413 INVALID_REQUEST"
  ],
  UnsupportedContentType: [
    new UnsupportedContentType({ supported: ["application/json"] }),
    "415 invalid_request_error",
    "415 invalid_request_error",
    "415 invalid_request_error",
    "415 invalid_request_error",
    "415 INVALID_REQUEST"
  ],
  RouteNotFound: [
    new RouteNotFound(),
    "404 not_found_error",
    "404 not_found_error",
    "404 not_found_error",
    "404 not_found_error",
    "404 NOT_FOUND"
  ],
  MethodNotAllowed: [
    new MethodNotAllowed({ allow: ["GET", "POST"] }),
    "405 invalid_request_error",
    "405 invalid_request_error",
    "405 invalid_request_error",
    "405 invalid_request_error",
    "405 METHOD_NOT_ALLOWED"
  ],
  InvalidApiKey: [
    new InvalidApiKey(),
    "403 invalid_api_key_error",
    "403 invalid_api_key_error",
    "403 invalid_api_key_error",
    "403 invalid_api_key_error",
    "401 UNAUTHORIZED"
  ],
  NotAllowed: [
    new NotAllowed({ message }),
    "403 authentication_error",
    "403 authentication_error",
    "403 authentication_error",
    "403 authentication_error",
    "403 FORBIDDEN"
  ],
  TierLimitReached: [
    new TierLimitReached({ message }),
    "403 TIER_LIMIT_REACHED",
    "403 TIER_LIMIT_REACHED",
    "403 TIER_LIMIT_REACHED",
    "403 TIER_LIMIT_REACHED",
    "403 FORBIDDEN"
  ],
  RateLimited: [
    new RateLimited({ api: "chat", retryAfter }),
    "429 rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 RATE_LIMITED after 2 s"
  ],
  Overloaded: [
    new Overloaded({ message, retryAfter }),
    "503 rate_limit_exceeded_error after 2 s",
    "503 rate_limit_exceeded_error after 2 s",
    "503 rate_limit_exceeded_error after 2 s",
    "503 rate_limit_exceeded_error after 2 s",
    "429 RATE_LIMITED after 2 s"
  ],
  InsufficientCredits: [
    new InsufficientCredits({ message }),
    "429 insufficient_quota_error",
    "429 insufficient_quota_error",
    "429 insufficient_quota_error",
    "402 insufficient_quota_error",
    "403 FORBIDDEN"
  ],
  BillingUnavailable: [
    new BillingUnavailable(),
    "502 billing_service_unavailable_error",
    "502 billing_service_unavailable_error",
    "502 billing_service_unavailable_error",
    "502 billing_service_unavailable_error",
    "500 INTERNAL"
  ],
  ModelUnavailable: [
    new ModelUnavailable({ message }),
    "503 model_call_error",
    "503 model_call_error",
    "503 model_overloaded",
    "503 model_call_error",
    "500 INTERNAL"
  ],
  ModelFailed: [
    new ModelFailed({ message }),
    "503 model_call_error",
    "503 model_call_error",
    "502 model_call_failed",
    "500 internal_server_error",
    "500 INTERNAL"
  ],
  ModelRateLimited: [
    new ModelRateLimited({ message, retryAfter }),
    "429 rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 model_rate_limit_exceeded_error after 2 s",
    "429 rate_limit_exceeded_error after 2 s",
    "429 RATE_LIMITED after 2 s"
  ],
  ModelTimedOut: [
    new ModelTimedOut({ message }),
    "504 gateway_timeout_error",
    "504 gateway_timeout_error",
    "504 gateway_timeout_error",
    "504 gateway_timeout_error",
    "500 INTERNAL"
  ],
  Unavailable: [
    new Unavailable({ message }),
    "503 internal_server_error",
    "503 internal_server_error",
    "503 internal_server_error",
    "503 internal_server_error",
    "500 INTERNAL"
  ],
  BoardsFailure: [
    new BoardsFailure({ code: "LAST_TAB", message }),
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 invalid_request_error",
    "400 LAST_TAB"
  ]
}
