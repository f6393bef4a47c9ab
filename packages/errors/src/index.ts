export {
  type BoardsCode,
  boardsCodes,
  type CodeEntry,
  ErrorKind,
  type MainCode,
  mainCodes,
  type RetryAdvice,
  retryDelay,
  retryWithBackoff
} from "./Codes.js"
export {
  type Envelope,
  envelope,
  type EnvelopeBody,
  internalEnvelope,
  internalModelError,
  mainEnvelope,
  type MainError,
  type ModelError,
  responsesEnvelope
} from "./Envelopes.js"
export {
  BadRequest,
  BillingUnavailable,
  BoardsFailure,
  BodyTooLarge,
  type Failure,
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
  SpendLimit,
  TierLimitReached,
  TimedOut,
  Unavailable,
  UnsupportedContentType
} from "./Errors.js"
export { ReadAsAnnotation } from "./FieldNames.js"
export { Issue, IssueType, IssueTypeAnnotation, Loc } from "./Issue.js"
export { misspeltName, unknownField } from "./NearestName.js"
export { issuesOf, issueType, joinIssues, maxIssues } from "./SchemaIssues.js"
export { type Family, type MainRules, mainRules } from "./StatusRules.js"
export { unknownFields } from "./UnknownFields.js"
