import { Duration, Schema } from "effect"
import { type BoardsCode, boardsCodes, type MainCode } from "./Codes.js"
import { type ErrorKind, errorKinds } from "./ErrorKind.js"
import type { Failure } from "./Errors.js"
import type { Issue } from "./Issue.js"
import { SpendLimit } from "./SpendLimit.js"
import { boardsRules, type Family, familyRules, type MainRules, mainRules } from "./StatusRules.js"

/** The `error` object of the main API (shapes 1.1). */
export interface MainError {
  readonly message: string
  readonly code: MainCode
  readonly request_id: string | null
}

/**
 * The `error` object on chat, responses and models. `type` and `param` are there for OpenAI's clients, some of which read
 * no error object without them.
 */
export interface ModelError extends MainError {
  readonly type: ErrorKind
  /** The path of the field at fault, such as `messages.0.content`; empty where no field is. */
  readonly param: string
  /** The budgets that ran out; on responses only. */
  readonly spend_limits?: ReadonlyArray<typeof SpendLimit.Encoded>
}

/** Every body a failure can have (shapes 1.1, 1.2, 1.4). */
export type EnvelopeBody =
  | { readonly error: MainError }
  | { readonly error: ModelError }
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

const paramOf = (failure: Failure): string => {
  switch (failure._tag) {
    case "BadRequest":
      return failure.param ?? ""
    case "Invalid":
    case "RuleViolation":
      return failure.issues[0].loc.slice(1).join(".")
    default:
      return ""
  }
}

const forModels = (family: "chat" | "responses") =>
(
  failure: Failure,
  requestId: string | null
): Envelope<{ readonly error: ModelError }> => {
  const { body: { error }, ...head } = mainEnvelope(failure, requestId, familyRules[family])
  return { ...head, body: { error: { ...error, type: errorKinds[error.code], param: paramOf(failure) } } }
}

/** A failure on chat and models. */
export const chatEnvelope = forModels("chat")

const onResponses = forModels("responses")

/** A failure on responses, whose error object also says which budgets ran out. */
export const responsesEnvelope: typeof chatEnvelope = (failure, requestId) => {
  const envelope = onResponses(failure, requestId)
  if (failure._tag !== "InsufficientCredits" || failure.spendLimits === undefined) return envelope
  const spend_limits = failure.spendLimits.map((limit) => encodeSpendLimit(limit))
  return { ...envelope, body: { error: { ...envelope.body.error, spend_limits } } }
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
  chat: chatEnvelope,
  responses: responsesEnvelope,
  voices: voicesEnvelope,
  boards: boardsEnvelope
}

/** A failure as the given family of routes reports it. */
export const envelope = (family: Family, failure: Failure, requestId: string | null): Envelope =>
  envelopes[family](failure, requestId)

const internalMessage = "Something went wrong on our side. Try again."

const internalError = (requestId: string | null) =>
  ({ message: internalMessage, code: "internal_server_error", request_id: requestId }) as const satisfies MainError

/** What a caller of chat, responses and models sees of a defect: that there was one, and nothing of its cause. */
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

/** A defect, as the given family of routes reports it. */
export const internalEnvelope = (family: Family, requestId: string | null): Envelope => ({
  status: 500,
  body: internalBody(family, requestId)
})
