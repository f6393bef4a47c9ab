import { Schema, Struct } from "effect"
import { boardsCodes } from "./Codes.js"
import { Issue, type IssueType, type Loc } from "./Issue.js"
import { SpendLimit } from "./SpendLimit.js"

const Issues = Schema.NonEmptyArray(Issue)

const sentence = (issues: typeof Issues.Type) => issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")

/** What belongs to no workspace. */
const workspaceless: ReadonlyArray<string> = ["account", "key", "model", "response", "voice"]

/** There is no such thing, or not in the caller's workspace: both look alike. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  /** What was looked for, in the API's words: `deployment`, `campaign`, `cohort`. */
  resource: Schema.String,
  id: Schema.String
}) {
  override get message() {
    return `No ${this.resource} with this id exists${workspaceless.includes(this.resource) ? "" : " in this workspace"}`
  }
}

/** The request does not have the form that was asked for; every issue is listed. */
export class Invalid extends Schema.TaggedError<Invalid>()("Invalid", {
  issues: Issues
}) {
  override get message() {
    return sentence(this.issues)
  }
  /** One issue at one place. */
  static at = (loc: Loc, type: IssueType, msg: string) => new Invalid({ issues: [{ loc, msg, type }] })
}

/** The request is well formed but a rule of state or reference forbids it. */
export class RuleViolation extends Schema.TaggedError<RuleViolation>()("RuleViolation", {
  issues: Issues
}) {
  override get message() {
    return sentence(this.issues)
  }
  /** One broken rule at one place of the request. */
  static at = (loc: Loc, msg: string) => new RuleViolation({ issues: [{ loc, msg, type: "rule_violation" }] })
}

/** The request asks for something that cannot be given: the 400 of chat, responses and voices. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", {
  message: Schema.String,
  param: Schema.NullOr(Schema.String)
}) {}

/** The body is not JSON, or not the form that its content type promises. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", {
  message: Schema.String
}) {}

/** The body is larger than this route takes. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  limitBytes: Schema.Number
}) {
  override get message() {
    return `The request body is larger than the limit of ${this.limitBytes} bytes`
  }
}

/** The body is of a content type that this route does not read. */
export class UnsupportedContentType extends Schema.TaggedError<UnsupportedContentType>()("UnsupportedContentType", {
  /** The content types that this route reads. */
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
  /** The methods that this route has. */
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

/** The account's plan does not hold any more of this. */
export class TierLimitReached extends Schema.TaggedError<TierLimitReached>()("TierLimitReached", {
  message: Schema.String
}) {}

const connectionReasons = {
  connections: "too many connections at once",
  connection_speed: "connections are opened too fast"
}

/** The caller has used up this API's allowance. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  api: Schema.String,
  /** Time until a request would be let in. */
  retryAfter: Schema.DurationFromMillis,
  /** Which limit of connections it was: how many there are at once, or how fast they are opened. */
  reason: Schema.optional(Schema.Literal("connections", "connection_speed"))
}) {
  override get message() {
    const reason = this.reason === undefined ? "" : `: ${connectionReasons[this.reason]}`
    return `The rate limit of ${this.api} is exceeded${reason}`
  }
}

/** The server sheds load for now. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  message: Schema.String,
  retryAfter: Schema.DurationFromMillis
}) {}

/** The credits of the account, or the budget of the key, do not cover this request. */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", {
  message: Schema.String,
  /** The budgets that ran out, when a key's own budget did; shown on responses only. */
  spendLimits: Schema.optional(Schema.NonEmptyArray(SpendLimit))
}) {}

/** Usage could not be recorded, so the request was not carried out. */
export class BillingUnavailable extends Schema.TaggedError<BillingUnavailable>()("BillingUnavailable", {
  /** When it may be recorded again, where that is known. */
  retryAfter: Schema.optionalWith(Schema.DurationFromMillis, { exact: true })
}) {
  override get message() {
    return "Usage could not be recorded; nothing was done. Try again."
  }
}

/** The model cannot be reached, refuses or is overloaded. */
export class ModelUnavailable extends Schema.TaggedError<ModelUnavailable>()("ModelUnavailable", {
  message: Schema.String,
  /** When it is to be had again, where that is known. */
  retryAfter: Schema.optionalWith(Schema.DurationFromMillis, { exact: true }),
  /** Nothing changes until somebody does something: there is no use in asking again. */
  lasting: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** True when no connection could be made, so that the request itself cannot be the cause. */
  unreachable: Schema.optionalWith(Schema.Boolean, { exact: true })
}) {}

/** The model was reached, but failed or gave an answer that makes no sense. */
export class ModelFailed extends Schema.TaggedError<ModelFailed>()("ModelFailed", {
  message: Schema.String
}) {}

/** The model's own provider has had enough requests for now. */
export class ModelRateLimited extends Schema.TaggedError<ModelRateLimited>()("ModelRateLimited", {
  message: Schema.String,
  retryAfter: Schema.DurationFromMillis
}) {}

/** The model did not answer in time. */
export class ModelTimedOut extends Schema.TaggedError<ModelTimedOut>()("ModelTimedOut", {
  message: Schema.String,
  /** True when no connection could be made, so that the request itself cannot be the cause. */
  unreachable: Schema.optionalWith(Schema.Boolean, { exact: true })
}) {}

/** The request was understood, but finding the answer takes longer than there is time for. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {
  message: Schema.String
}) {}

/** A part that the request needs (a phone line, a store) is out of service. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  message: Schema.String,
  /** When it may be in service again, where that is known. */
  retryAfter: Schema.optionalWith(Schema.DurationFromMillis, { exact: true })
}) {}

/** A failure of the analytics boards, under one of their codes. */
export class BoardsFailure extends Schema.TaggedError<BoardsFailure>()("BoardsFailure", {
  code: Schema.Literal(...Struct.keys(boardsCodes)),
  message: Schema.String
}) {}

/** Every failure that a caller can meet; each has a status and a code in `envelope`. */
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
  | BoardsFailure
