import { HttpApiSchema } from "@effect/platform"
import {
  BadRequest,
  BillingUnavailable,
  BodyTooLarge,
  ErrorKind,
  type Failure,
  InsufficientCredits,
  Invalid,
  InvalidApiKey,
  Issue,
  mainCodes,
  MalformedBody,
  ModelFailed,
  ModelRateLimited,
  ModelTimedOut,
  ModelUnavailable,
  NotAllowed,
  NotFound,
  Overloaded,
  RateLimited,
  RuleViolation,
  SpendLimit,
  TierLimitReached,
  TimedOut,
  Unavailable,
  UnsupportedContentType
} from "@trunkline/errors"
import { Option, ParseResult, Schema, SchemaAST, Struct } from "effect"

const error = Schema.Struct({
  message: Schema.String,
  code: Schema.Literal(...Struct.keys(mainCodes)),
  request_id: Schema.NullOr(Schema.String)
})

/** Body of every failure except a 422 and those of chat, responses and models. */
const ErrorBody = Schema.Struct({ error }).annotations({ identifier: "Error" })

/** Body of every failure of chat, responses and models: OpenAI's error object. */
const ModelErrorBody = Schema.Struct({
  error: Schema.Struct({
    ...error.fields,
    type: ErrorKind.annotations({ description: "Kind of failure, as OpenAI names it" }),
    param: Schema.String.annotations({ description: "Path of the invalid field; empty when no field is at fault" }),
    spend_limits: Schema.optionalWith(
      Schema.Array(Schema.encodedSchema(SpendLimit)).annotations({
        description: "Exhausted budgets; on responses only"
      }),
      { exact: true }
    )
  })
}).annotations({ identifier: "ModelError" })

/** Body of a 422: every issue, each with its path. */
const ValidationBody = Schema.Struct({ detail: Schema.NonEmptyArray(Issue), error }).annotations({
  identifier: "ValidationError"
})

const forbid = (value: unknown, _: unknown, ast: SchemaAST.Transformation) =>
  ParseResult.fail(new ParseResult.Forbidden(ast, value, "Failures are encoded by the boundary, not by their endpoint"))

interface ErrorSchemaOptions<A extends Failure, B, I> {
  readonly status: number
  readonly body: Schema.Schema<B, I>
  readonly failures: Schema.Schema<A>
}

/**
 * Declares failures of an endpoint for HttpApi and OpenAPI: their status and the body of their envelope. The schema
 * neither encodes nor decodes; `boundary` writes every failure.
 */
export const errorSchema = <A extends Failure, B, I>({ body, failures, status }: ErrorSchemaOptions<A, B, I>) =>
  Schema.transformOrFail(body, failures, { strict: true, decode: forbid, encode: forbid }).annotations({
    identifier: Option.getOrElse(SchemaAST.getIdentifierAnnotation(body.ast), () => "Error"),
    ...HttpApiSchema.annotations({ status })
  })

/** 400 of chat, responses and models: an invalid, malformed or unsupported request. */
export const ModelError400 = errorSchema({
  status: 400,
  body: ModelErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(BadRequest),
    Schema.typeSchema(Invalid),
    Schema.typeSchema(MalformedBody)
  )
})

/** 403: the key is missing or invalid, or has no access. */
export const Error403 = errorSchema({
  status: 403,
  body: ErrorBody,
  failures: Schema.Union(Schema.typeSchema(InvalidApiKey), Schema.typeSchema(NotAllowed))
})

/** 404: the resource does not exist, or not in this workspace. */
export const Error404 = errorSchema({
  status: 404,
  body: ErrorBody,
  failures: Schema.typeSchema(NotFound)
})

/** 408: the query takes longer than its time limit. */
export const Error408 = errorSchema({
  status: 408,
  body: ErrorBody,
  failures: Schema.typeSchema(TimedOut)
})

/** 413: the body is too large. */
export const Error413 = errorSchema({
  status: 413,
  body: ErrorBody,
  failures: Schema.typeSchema(BodyTooLarge)
})

/** 415: the body has another content type. */
export const Error415 = errorSchema({
  status: 415,
  body: ErrorBody,
  failures: Schema.typeSchema(UnsupportedContentType)
})

/** 422: the request has invalid fields, or breaks a rule. */
export const Error422 = errorSchema({
  status: 422,
  body: ValidationBody,
  failures: Schema.Union(Schema.typeSchema(Invalid), Schema.typeSchema(RuleViolation))
})

/** 429, with `Retry-After`: the rate limit is exceeded. */
export const Error429 = errorSchema({
  status: 429,
  body: ErrorBody,
  failures: Schema.typeSchema(RateLimited)
})

/** 429 of models: the caller's rate limit, the credits, or the rate limit of the model's provider. */
export const ModelError429 = errorSchema({
  status: 429,
  body: ModelErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(RateLimited),
    Schema.typeSchema(InsufficientCredits),
    Schema.typeSchema(ModelRateLimited)
  )
})

/** 400 of voices. */
export const VoicesError400 = errorSchema({
  status: 400,
  body: ErrorBody,
  failures: Schema.typeSchema(BadRequest)
})

/** 402 of voices and talks: the credits do not cover them. */
export const Error402 = errorSchema({
  status: 402,
  body: ErrorBody,
  failures: Schema.typeSchema(InsufficientCredits)
})

/** 403 of voices: the key, or the number of voices that the plan allows. */
export const VoicesError403 = errorSchema({
  status: 403,
  body: ErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(InvalidApiKey),
    Schema.typeSchema(NotAllowed),
    Schema.typeSchema(TierLimitReached)
  )
})

/** 429 of voices: the caller's rate limit, or that of the speech provider. */
export const VoicesError429 = errorSchema({
  status: 429,
  body: ErrorBody,
  failures: Schema.Union(Schema.typeSchema(RateLimited), Schema.typeSchema(ModelRateLimited))
})

/** 503 of voices: the speech engine is unavailable, or the server is overloaded. */
export const VoicesError503 = errorSchema({
  status: 503,
  body: ErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(ModelUnavailable),
    Schema.typeSchema(Overloaded),
    Schema.typeSchema(Unavailable)
  )
})

/** 500 of voices: synthesis failed before the first byte. */
export const Error500 = errorSchema({
  status: 500,
  body: ErrorBody,
  failures: Schema.typeSchema(ModelFailed)
})

/** 502 of voices and talks: usage could not be recorded. */
export const Error502 = errorSchema({
  status: 502,
  body: ErrorBody,
  failures: Schema.typeSchema(BillingUnavailable)
})

/** 502 of models: usage could not be recorded; on responses also when the model failed. */
export const ModelError502 = errorSchema({
  status: 502,
  body: ModelErrorBody,
  failures: Schema.Union(Schema.typeSchema(BillingUnavailable), Schema.typeSchema(ModelFailed))
})

/** 503 of models: the model is unavailable, or the server is overloaded. */
export const ModelError503 = errorSchema({
  status: 503,
  body: ModelErrorBody,
  failures: Schema.Union(Schema.typeSchema(ModelUnavailable), Schema.typeSchema(Overloaded))
})

/** 504: the model took too long. */
export const Error504 = errorSchema({
  status: 504,
  body: ErrorBody,
  failures: Schema.typeSchema(ModelTimedOut)
})

/** 503: the server is overloaded (with `Retry-After`), or a component is out of service. */
export const Error503 = errorSchema({
  status: 503,
  body: ErrorBody,
  failures: Schema.Union(Schema.typeSchema(Overloaded), Schema.typeSchema(Unavailable))
})
