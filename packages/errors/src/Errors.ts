import { Schema, Struct } from "effect"
import { boardsCodes } from "./Codes.js"
import { Issue, type IssueType, type Loc } from "./Issue.js"

const Issues = Schema.NonEmptyArray(Issue)

/** A budget that a request would exceed. Amounts are whole micro-credits. */
export const SpendLimit = Schema.Struct({
  /** Owner of the budget: `key` for the API key of the request. */
  scope: Schema.String,
  limit: Schema.Int,
  /** Amount spent, including what is reserved for requests in progress. */
  used: Schema.Int,
  /** Time of the next reset; null if it never resets. */
  resets_at: Schema.NullOr(Schema.DateTimeUtc)
})
export type SpendLimit = typeof SpendLimit.Type

/** Issues on one line; an issue without a path is one of the whole. */
const summarize = (issues: typeof Issues.Type) =>
  issues.map(({ loc, msg }) => loc.length === 0 ? msg : `${loc.join(".")}: ${msg}`).join("; ")

/** Resources that do not belong to a workspace. */
const workspaceless: ReadonlyArray<string> = ["account", "key", "model", "page", "response", "voice", "workspace"]

/** The resource does not exist, or not in the caller's workspace; the two cases look the same. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  /** Kind of resource by its name in the API: `deployment`, `campaign`, `cohort`. */
  resource: Schema.String,
  id: Schema.String
}) {
  override get message() {
    const place = workspaceless.includes(this.resource) ? "" : " in this workspace"
    return `No ${this.resource} with the id "${this.id.slice(0, 128)}" exists${place}`
  }
}

/** The request does not match its schema; all issues are listed. */
export class Invalid extends Schema.TaggedError<Invalid>()("Invalid", {
  issues: Issues
}) {
  override get message() {
    return summarize(this.issues)
  }
  /** Makes an error with a single issue. */
  static at = (loc: Loc, type: IssueType, msg: string) => new Invalid({ issues: [{ loc, msg, type }] })
}

/** The request is well formed, but the state of a resource or a reference in it forbids it. */
export class RuleViolation extends Schema.TaggedError<RuleViolation>()("RuleViolation", {
  issues: Issues
}) {
  override get message() {
    return summarize(this.issues)
  }
  /** Makes an error with a single issue. */
  static at = (loc: Loc, msg: string) => new RuleViolation({ issues: [{ loc, msg, type: "rule_violation" }] })
}

/** The request asks for something that is not supported: the 400 of chat, responses and voices. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", {
  message: Schema.String,
  param: Schema.NullOr(Schema.String)
}) {}

/** The body is not valid JSON, or not a valid form of its content type. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", {
  message: Schema.String
}) {}

/** The body exceeds the size limit of the route. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  limitBytes: Schema.Number
}) {
  override get message() {
    return `The request body is larger than the limit of ${this.limitBytes} bytes`
  }
}

/** The route does not accept the content type of the body. */
export class UnsupportedContentType extends Schema.TaggedError<UnsupportedContentType>()("UnsupportedContentType", {
  /** Content types that the route accepts. */
  supported: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Send the body as ${this.supported.join(" or ")}, not compressed`
  }
}

/** No route has this path. */
export class RouteNotFound extends Schema.TaggedError<RouteNotFound>()("RouteNotFound", {}) {
  override get message() {
    return "There is no such route"
  }
}

/** The route exists, but not with this method. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  /** Methods that the route supports. */
  allow: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This route takes only ${this.allow.join(", ")}`
  }
}

/** The key is missing, malformed, unknown or revoked. */
export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()("InvalidApiKey", {}) {
  override get message() {
    return "The API key is missing, malformed or unknown. Send it in the api-subscription-key header."
  }
}

/** The key is valid, but not for this organisation, workspace, feature or model. */
export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", {
  message: Schema.String
}) {}

/** The account's plan does not include any more of this resource. */
export class TierLimitReached extends Schema.TaggedError<TierLimitReached>()("TierLimitReached", {
  message: Schema.String
}) {}

const connectionReasons = {
  connections: "too many connections at once",
  connection_speed: "connections are opened too fast"
}

/** The caller exceeded the rate limit of an API. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  api: Schema.String,
  /** Time until a request would be accepted. */
  retryAfter: Schema.DurationFromMillis,
  /** Connection limit that was exceeded: concurrent connections, or the rate of opening them. */
  reason: Schema.optional(Schema.Literal("connections", "connection_speed"))
}) {
  override get message() {
    const reason = this.reason === undefined ? "" : `: ${connectionReasons[this.reason]}`
    return `The rate limit of ${this.api} is exceeded${reason}`
  }
}

/** The server is shedding load. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  message: Schema.String,
  retryAfter: Schema.DurationFromMillis
}) {}

/** The credits of the account, or the budget of the key, do not cover this request. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", {
  message: Schema.String,
  /** Exhausted budgets of the API key, if its own budget ran out; shown on responses only. */
  spendLimits: Schema.optional(Schema.NonEmptyArray(SpendLimit))
}) {}

/** Usage could not be recorded, so the request was not carried out. */
export class BillingUnavailable extends Schema.TaggedError<BillingUnavailable>()("BillingUnavailable", {
  /** Delay before a retry, if known. */
  retryAfter: Schema.optionalWith(Schema.DurationFromMillis, { exact: true })
}) {
  override get message() {
    return "Usage could not be recorded; nothing was done. Try again."
  }
}

/** The model cannot be reached, rejects requests or is overloaded. */
export class ModelUnavailable extends Schema.TaggedError<ModelUnavailable>()("ModelUnavailable", {
  message: Schema.String,
  /** Delay before a retry, if known. */
  retryAfter: Schema.optionalWith(Schema.DurationFromMillis, { exact: true }),
  /** True when a retry cannot help until an operator fixes the cause. */
  lasting: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** True when no connection could be made, so that the request itself cannot be the cause. */
  unreachable: Schema.optionalWith(Schema.Boolean, { exact: true })
}) {}

/** The model was reached, but failed or returned an invalid response. */
export class ModelFailed extends Schema.TaggedError<ModelFailed>()("ModelFailed", {
  message: Schema.String
}) {}

/** The model's provider rejected the request by its rate limit. */
export class ModelRateLimited extends Schema.TaggedError<ModelRateLimited>()("ModelRateLimited", {
  message: Schema.String,
  retryAfter: Schema.DurationFromMillis
}) {}

/** The model did not respond in time. */
export class ModelTimedOut extends Schema.TaggedError<ModelTimedOut>()("ModelTimedOut", {
  message: Schema.String,
  /** True when no connection could be made, so that the request itself cannot be the cause. */
  unreachable: Schema.optionalWith(Schema.Boolean, { exact: true })
}) {}

/** The request is valid, but processing it took longer than the time limit. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", { message: Schema.String }) {}

/** A component that the request needs, such as a phone line or a store, is out of service. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  message: Schema.String,
  /** Delay before a retry, if known. */
  retryAfter: Schema.optionalWith(Schema.DurationFromMillis, { exact: true })
}) {}

/** This process does not do what the request needs, but another one of the same database may. */
export class NotServedHere extends Schema.TaggedError<NotServedHere>()("NotServedHere", {
  /** Role that the request needs. */
  needed: Schema.String,
  /** Roles of this process. */
  roles: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This process has only the roles ${this.roles.join(", ")}. `
      + `Send the request to a process with the role ${this.needed}.`
  }
}

/** A failure of the analytics boards, with one of their codes. */
export class BoardsFailure extends Schema.TaggedError<BoardsFailure>()("BoardsFailure", {
  code: Schema.Literal(...Struct.keys(boardsCodes)),
  message: Schema.String
}) {}

/** All failures of the API. `envelope` gives each a status and a code. */
export type Failure =
  | NotFound
  | Invalid
  | RuleViolation
  | BadRequest
  | MalformedBody
  | BodyTooLarge
  | UnsupportedContentType
  | RouteNotFound
  | MethodNotAllowed
  | InvalidApiKey
  | NotAllowed
  | TierLimitReached
  | RateLimited
  | Overloaded
  | InsufficientCredits
  | BillingUnavailable
  | ModelUnavailable
  | ModelFailed
  | ModelRateLimited
  | ModelTimedOut
  | TimedOut
  | Unavailable
  | NotServedHere
  | BoardsFailure
