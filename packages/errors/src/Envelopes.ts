import { Duration, Schema } from "effect"
import { type BoardsCode, boardsCodes, type MainCode } from "./Codes.js"
import type { Failure } from "./Errors.js"
import type { Issue } from "./Issue.js"
import { SpendLimit } from "./SpendLimit.js"

/** The routes that share one way of reporting failures; `org` covers call analytics too. */
export type Family = "org" | "chat" | "responses" | "voices" | "boards"

/** The `error` object of the main API (shapes 1.1). */
export interface MainError {
  readonly message: string
  readonly code: MainCode
  readonly request_id: string | null
  /** The field at fault; on responses only. */
  readonly param?: string | null
  /** The budgets that ran out; on responses only. */
  readonly spend_limits?: ReadonlyArray<typeof SpendLimit.Encoded>
}

/** Every body a failure can have (shapes 1.1, 1.2, 1.4). */
export type EnvelopeBody =
  | { readonly error: MainError }
  | { readonly detail: ReadonlyArray<Issue>; readonly error: MainError }
  | { readonly detail: ReadonlyArray<Issue> }
  | { readonly error: { readonly code: BoardsCode; readonly message: string } }

/** A failure as it leaves the API. */
export interface Envelope<Body extends EnvelopeBody = EnvelopeBody> {
  readonly status: number
  readonly body: Body
  /** The `Retry-After` header: whole seconds, at least 1. */
  readonly retryAfterSeconds?: number
  /** The `Allow` header of a 405. */
  readonly allow?: ReadonlyArray<string>
}

type Rule<Code> = readonly [status: number, code: Code]

/** How failures are reported, by tag. */
export type MainRules = { readonly [Tag in Failure["_tag"]]: Rule<MainCode> }

/** What holds unless a family says otherwise (specification, Errors). A boards failure is meant for boards alone. */
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
  BoardsFailure: [400, "invalid_request_error"]
}

/** The exceptions of each main API family (decisions 4; specification, Errors: per-status rules). */
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

/** How boards report what is not a `BoardsFailure` of their own (shapes 1.4); `Invalid` has a body without code. */
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
  Unavailable: [500, "INTERNAL"]
}

const headersOf = (failure: Failure): Pick<Envelope, "retryAfterSeconds" | "allow"> => ({
  ...("retryAfter" in failure && {
    retryAfterSeconds: Math.max(1, Math.ceil(Duration.toSeconds(failure.retryAfter)))
  }),
  ...(failure._tag === "MethodNotAllowed" && { allow: failure.allow })
})

/** A failure in the main API's envelope (shapes 1.1); `overrides` are a family's exceptions. */
export const mainEnvelope = (
  failure: Failure,
  requestId: string | null,
  overrides: Partial<MainRules> = {}
): Envelope<{ readonly error: MainError }> => {
  const [status, code] = overrides[failure._tag] ?? mainRules[failure._tag]
  return {
    status,
    body: { error: { message: failure.message, code, request_id: requestId } },
    ...headersOf(failure)
  }
}

const detailOf = (failure: Failure): ReadonlyArray<Issue> | undefined => {
  switch (failure._tag) {
    case "Invalid":
    case "RuleViolation":
      return failure.issues
    case "MalformedBody":
      return [{ loc: ["body"], msg: failure.message, type: "json_invalid" }]
    default:
      return undefined
  }
}

const detailed = (family: "org" | "voices") => (failure: Failure, requestId: string | null): Envelope => {
  const envelope = mainEnvelope(failure, requestId, familyRules[family])
  const detail = detailOf(failure)
  return detail === undefined ? envelope : { ...envelope, body: { detail, ...envelope.body } }
}

/** A failure on organisation and analytics routes: a 422 holds `detail` beside the error object (shapes 1.2, 1.3). */
export const orgEnvelope = detailed("org")

/** A failure on voices, whose 422 holds `detail` as well. */
export const voicesEnvelope = detailed("voices")

const encodeSpendLimit = Schema.encodeSync(SpendLimit)

/** A failure on responses, whose error object also says which field or which budgets are at fault. */
export const responsesEnvelope = (
  failure: Failure,
  requestId: string | null
): Envelope<{ readonly error: MainError }> => {
  const envelope = mainEnvelope(failure, requestId, familyRules.responses)
  const extra = {
    ...(failure._tag === "BadRequest" && { param: failure.param }),
    ...(failure._tag === "Invalid" && { param: failure.issues[0].loc.slice(1).join(".") || null }),
    ...(failure._tag === "InsufficientCredits" && failure.spendLimits && {
      spend_limits: failure.spendLimits.map((limit) => encodeSpendLimit(limit))
    })
  }
  return { ...envelope, body: { error: { ...envelope.body.error, ...extra } } }
}

/** A failure on the analytics boards (shapes 1.4); a 422 holds `detail` alone. */
export const boardsEnvelope = (failure: Failure): Envelope => {
  switch (failure._tag) {
    case "Invalid":
    case "RuleViolation":
      return { status: 422, body: { detail: failure.issues } }
    case "InvalidApiKey": {
      const [status, code] = boardsRules[failure._tag]
      return {
        status,
        body: {
          error: { code, message: "The API key is missing, malformed or unknown. Send it in the X-API-Key header." }
        }
      }
    }
    case "BoardsFailure":
      return {
        status: boardsCodes[failure.code].statuses[0],
        body: { error: { code: failure.code, message: failure.message } }
      }
    default: {
      const [status, code] = boardsRules[failure._tag]
      return { status, body: { error: { code, message: failure.message } }, ...headersOf(failure) }
    }
  }
}

const envelopes: { readonly [F in Family]: (failure: Failure, requestId: string | null) => Envelope } = {
  org: orgEnvelope,
  chat: (failure, requestId) => mainEnvelope(failure, requestId, familyRules.chat),
  responses: responsesEnvelope,
  voices: voicesEnvelope,
  boards: boardsEnvelope
}

/** A failure as the given family of routes reports it. */
export const envelope = (family: Family, failure: Failure, requestId: string | null): Envelope =>
  envelopes[family](failure, requestId)

const internalMessage = "Something went wrong on our side. Try again."

/** What a caller of the main API sees of a defect: that there was one, and nothing of its cause. */
export const internalError = (requestId: string | null): MainError => ({
  message: internalMessage,
  code: "internal_server_error",
  request_id: requestId
})

/** A defect, as the given family of routes reports it. */
export const internalEnvelope = (family: Family, requestId: string | null): Envelope => ({
  status: 500,
  body: family === "boards"
    ? { error: { code: "INTERNAL", message: internalMessage } }
    : { error: internalError(requestId) }
})
