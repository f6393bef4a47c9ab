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
  Overloaded,
  RateLimited,
  RuleViolation,
  TimedOut,
  Unavailable,
  UnsupportedContentType
} from "@trunkline/errors"
import { Schema, Struct } from "effect"
import { reported } from "./Reported.js"

/** The body of every failure on boards but a 422 (shapes 1.4). */
const BoardsErrorBody = Schema.Struct({
  error: Schema.Struct({ code: Schema.Literal(...Struct.keys(boardsCodes)), message: Schema.String })
}).annotations({ identifier: "BoardsError" })

/** The body of a 422 on boards: every issue, each with its place (shapes 1.4). */
const BoardsValidationBody = Schema.Struct({ detail: Schema.NonEmptyArray(Issue) }).annotations({
  identifier: "BoardsValidationError"
})

/** 400: what is wrong with the query, the filters or the rule; malformed JSON. */
export const BoardsBad = reported({
  status: 400,
  body: BoardsErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(BoardsFailure),
    Schema.typeSchema(BadRequest),
    Schema.typeSchema(MalformedBody)
  )
})

/** 401: no key, or one that nobody knows. */
export const BoardsUnauthorized = reported({
  status: 401,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(InvalidApiKey)
})

/** 403: the key is for another organisation or workspace. */
export const BoardsForbidden = reported({
  status: 403,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(NotAllowed)
})

/** 404: no such board, tab, widget, filter or rule in this workspace. */
export const BoardsMissing = reported({
  status: 404,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(NotFound)
})

/** 408: a run took longer than 15 seconds. */
export const BoardsTooLate = reported({
  status: 408,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(TimedOut)
})

/** 413. */
export const BoardsTooLarge = reported({
  status: 413,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(BodyTooLarge)
})

/** 415. */
export const BoardsWrongType = reported({
  status: 415,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(UnsupportedContentType)
})

/** 422. */
export const BoardsUnprocessable = reported({
  status: 422,
  body: BoardsValidationBody,
  failures: Schema.Union(Schema.typeSchema(Invalid), Schema.typeSchema(RuleViolation))
})

/** 429, with `Retry-After`: the rate limit, or too many queries that wait. */
export const BoardsTooMany = reported({
  status: 429,
  body: BoardsErrorBody,
  failures: Schema.Union(Schema.typeSchema(RateLimited), Schema.typeSchema(Overloaded))
})

/** 500: a part that the request needs is out of service. */
export const BoardsBroken = reported({
  status: 500,
  body: BoardsErrorBody,
  failures: Schema.typeSchema(Unavailable)
})
