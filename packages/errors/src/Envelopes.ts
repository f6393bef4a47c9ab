import { Duration, Schema } from "effect"
import { type BoardsCode, boardsCodes, type ErrorKind, errorKinds, type MainCode } from "./Codes.js"
import { type Failure, SpendLimit } from "./Errors.js"
import type { Issue } from "./Issue.js"
import { boardsRules, type Family, familyRules, type MainRules, mainRules } from "./StatusRules.js"

/** The `error` object of the main API. */
export interface MainError {
  readonly message: string
  readonly code: MainCode
  readonly request_id: string | null
}

/** The `error` object on chat, responses and models. OpenAI's clients expect `type` and `param`. */
export interface ModelError extends MainError {
  readonly type: ErrorKind
  /** Path of the invalid field, such as `messages.0.content`; empty if there is none. */
  readonly param: string
  /** Exhausted budgets; on responses only. */
  readonly spend_limits?: ReadonlyArray<typeof SpendLimit.Encoded>
}

/** Body of an error response. */
export type EnvelopeBody =
  | { readonly error: MainError }
  | { readonly error: ModelError }
  | { readonly detail: ReadonlyArray<Issue>; readonly error: MainError }
  | { readonly detail: ReadonlyArray<Issue> }
  | { readonly error: { readonly code: BoardsCode; readonly message: string } }

/** An error response of the API. */
export interface Envelope<Body extends EnvelopeBody = EnvelopeBody> {
  readonly status: number
  readonly body: Body
  /** The `Retry-After` header: whole seconds, at least 1. */
  readonly retryAfterSeconds?: number
  /** The `Allow` header of a 405. */
  readonly allow?: ReadonlyArray<string>
}

const headersOf = (failure: Failure): Pick<Envelope, "retryAfterSeconds" | "allow"> => ({
  ...("retryAfter" in failure && {
    retryAfterSeconds: Math.max(1, Math.ceil(Duration.toSeconds(failure.retryAfter)))
  }),
  ...(failure._tag === "MethodNotAllowed" && { allow: failure.allow })
})

/** Error response of the main API; `overrides` are the exceptions of a family. */
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

const withDetail = (family: "org" | "voices") => (failure: Failure, requestId: string | null): Envelope => {
  const envelope = mainEnvelope(failure, requestId, familyRules[family])
  const detail = detailOf(failure)
  return detail === undefined ? envelope : { ...envelope, body: { detail, ...envelope.body } }
}

/** Error response of organisation and analytics routes: a 422 has `detail` beside the error object. */
const orgEnvelope = withDetail("org")

/** Error response of voice routes, whose 422 has `detail` too. */
const voicesEnvelope = withDetail("voices")

const encodeSpendLimit = Schema.encodeSync(SpendLimit)

const paramOf = (failure: Failure): string => {
  switch (failure._tag) {
    case "BadRequest":
      return failure.param ?? ""
    case "Invalid":
    case "RuleViolation":
      return failure.issues[0].loc.slice(1).join(".")
    case "NotFound":
      return failure.resource === "model" ? "model" : ""
    default:
      return ""
  }
}

const modelEnvelope = (family: "chat" | "responses") =>
(
  failure: Failure,
  requestId: string | null
): Envelope<{ readonly error: ModelError }> => {
  const { body: { error }, ...head } = mainEnvelope(failure, requestId, familyRules[family])
  return { ...head, body: { error: { ...error, type: errorKinds[error.code], param: paramOf(failure) } } }
}

/** Error response of chat and models. */
const chatEnvelope = modelEnvelope("chat")

const baseResponsesEnvelope = modelEnvelope("responses")

/** Error response of responses, whose error object also lists exhausted budgets. */
export const responsesEnvelope: typeof chatEnvelope = (failure, requestId) => {
  const envelope = baseResponsesEnvelope(failure, requestId)
  if (failure._tag !== "InsufficientCredits" || failure.spendLimits === undefined) return envelope
  const spend_limits = failure.spendLimits.map((limit) => encodeSpendLimit(limit))
  return { ...envelope, body: { error: { ...envelope.body.error, spend_limits } } }
}

/** Error response of the analytics boards; a 422 has `detail` only. */
const boardsEnvelope = (failure: Failure): Envelope => {
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
  chat: chatEnvelope,
  responses: responsesEnvelope,
  voices: voicesEnvelope,
  boards: boardsEnvelope
}

/**
 * Error response for a failure in the format of a family of routes.
 *
 * @example
 * ```ts
 * const { body, status } = envelope("chat", new NotFound({ resource: "model", id }), requestId)
 * ```
 */
export const envelope = (family: Family, failure: Failure, requestId: string | null): Envelope =>
  envelopes[family](failure, requestId)

const internalMessage = "Something went wrong on our side. Try again."

const internalError = (requestId: string | null) =>
  ({ message: internalMessage, code: "internal_server_error", request_id: requestId }) as const satisfies MainError

/** The `error` object of a defect on chat, responses and models, which reveals nothing of its cause. */
export const internalModelError = (requestId: string | null): ModelError => ({
  ...internalError(requestId),
  type: errorKinds.internal_server_error,
  param: ""
})

const internalBody = (family: Family, requestId: string | null): EnvelopeBody => {
  switch (family) {
    case "boards":
      return { error: { code: "INTERNAL", message: internalMessage } }
    case "chat":
    case "responses":
      return { error: internalModelError(requestId) }
    default:
      return { error: internalError(requestId) }
  }
}

/** Error response for a defect in the format of a family of routes. */
export const internalEnvelope = (family: Family, requestId: string | null): Envelope => ({
  status: 500,
  body: internalBody(family, requestId)
})
