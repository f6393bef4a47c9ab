import {
  BadRequest,
  boardsCodes,
  BoardsFailure,
  BodyTooLarge,
  Invalid,
  InvalidApiKey,
  Issue,
  MalformedBody,
  NotAllowed,
  NotFound,
  NotServedHere,
  Overloaded,
  RateLimited,
  RuleViolation,
  TimedOut,
  Unavailable,
  UnsupportedContentType
} from "@trunkline/errors"
import { Schema, Struct } from "effect"
import { errorSchema } from "./ErrorSchemas.js"

/** Body of every failure of boards except a 422. */
const BoardsErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.Literal(...Struct.keys(boardsCodes)), message: Schema.String })
}).annotations({ identifier: "BoardsError" })

/** Body of a 422 of boards: every issue, each with its path. */
const BoardsValidationBody = Schema.Struct({ detail: Schema.NonEmptyArray(Issue) }).annotations({
  identifier: "BoardsValidationError"
})

/** 400: an invalid query, filter or rule, or malformed JSON. */
export const BoardsError400 = errorSchema({
  status: 400,
  body: BoardsErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(BoardsFailure),
    Schema.typeSchema(BadRequest),
    Schema.typeSchema(MalformedBody)
  )
})

/** 401: the key is missing or unknown. */
export const BoardsError401 = errorSchema({
  status: 401,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(InvalidApiKey)
})

/** 403: the key belongs to another organisation or workspace. */
export const BoardsError403 = errorSchema({
  status: 403,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(NotAllowed)
})

/** 404: no such board, tab, widget, filter or rule in this workspace. */
export const BoardsError404 = errorSchema({
  status: 404,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(NotFound)
})

/** 408: a run took longer than 15 seconds. */
export const BoardsError408 = errorSchema({
  status: 408,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(TimedOut)
})

/** 413: the body is too large. */
export const BoardsError413 = errorSchema({
  status: 413,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(BodyTooLarge)
})

/** 415: the body has another content type. */
export const BoardsError415 = errorSchema({
  status: 415,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(UnsupportedContentType)
})

/** 422: the request has invalid fields, or breaks a rule. */
export const BoardsError422 = errorSchema({
  status: 422,
  body: BoardsValidationBody,
  failures: Schema.Union(Schema.typeSchema(Invalid), Schema.typeSchema(RuleViolation))
})

/** 429, with `Retry-After`: the rate limit, or too many queued queries. */
export const BoardsError429 = errorSchema({
  status: 429,
  body: BoardsErrorBody,
  failures: Schema.Union(Schema.typeSchema(RateLimited), Schema.typeSchema(Overloaded))
})

/** 500: a component that the request needs is out of service. */
export const BoardsError500 = errorSchema({
  status: 500,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(Unavailable)
})

/** 503: this process has no warehouse; one with the role `boards` has. */
export const BoardsError503 = errorSchema({
  status: 503,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(NotServedHere)
})
