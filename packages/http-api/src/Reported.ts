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

/** The body of every failure but a 422, and but those of chat, responses and models (shapes 1.1). */
const ErrorBody = Schema.Struct({ error }).annotations({ identifier: "Error" })

/** The body of every failure of chat, responses and models. */
const ModelErrorBody = Schema.Struct({
  error: Schema.Struct({
    ...error.fields,
    type: ErrorKind.annotations({ description: "The kind of failure, in OpenAI's words" }),
    param: Schema.String.annotations({ description: "The field at fault; empty where no field is" }),
    spend_limits: Schema.optionalWith(
      Schema.Array(Schema.encodedSchema(SpendLimit)).annotations({
        description: "The budgets that ran out; on responses only"
      }),
      { exact: true }
    )
  })
}).annotations({ identifier: "ModelError" })

/** The body of a 422: every issue, each with its place (shapes 1.2). */
const ValidationBody = Schema.Struct({ detail: Schema.NonEmptyArray(Issue), error }).annotations({
  identifier: "ValidationError"
})

const byBoundary = (value: unknown, _: unknown, ast: SchemaAST.Transformation) =>
  ParseResult.fail(new ParseResult.Forbidden(ast, value, "Failures are written by the boundary"))

interface Report<A extends Failure, B, I> {
  readonly status: number
  readonly body: Schema.Schema<B, I>
  readonly failures: Schema.Schema<A>
}

/** Failures as an endpoint declares them: under their status, in their envelope. The boundary is who writes them. */
export const reported = <A extends Failure, B, I>({ body, failures, status }: Report<A, B, I>) =>
  Schema.transformOrFail(body, failures, { strict: true, decode: byBoundary, encode: byBoundary }).annotations({
    identifier: Option.getOrElse(SchemaAST.getIdentifierAnnotation(body.ast), () => "Error"),
    ...HttpApiSchema.annotations({ status })
  })

/** 400 of chat, responses and models (specification, Errors; decisions 4). */
export const Bad = reported({
  status: 400,
  body: ModelErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(BadRequest),
    Schema.typeSchema(Invalid),
    Schema.typeSchema(MalformedBody)
  )
})

/** 403 (shapes 1.3). */
export const Forbidden = reported({
  status: 403,
  body: ErrorBody,
  failures: Schema.Union(Schema.typeSchema(InvalidApiKey), Schema.typeSchema(NotAllowed))
})

/** 404 (shapes 1.3). */
export const Missing = reported({
  status: 404,
  body: ErrorBody,
  failures: Schema.typeSchema(NotFound)
})

/** 408: finding the answer takes longer than there is time for. */
export const TookTooLong = reported({
  status: 408,
  body: ErrorBody,
  failures: Schema.typeSchema(TimedOut)
})

/** 413. */
export const TooLarge = reported({
  status: 413,
  body: ErrorBody,
  failures: Schema.typeSchema(BodyTooLarge)
})

/** 415. */
export const WrongType = reported({
  status: 415,
  body: ErrorBody,
  failures: Schema.typeSchema(UnsupportedContentType)
})

/** 422 (shapes 1.3). */
export const Unprocessable = reported({
  status: 422,
  body: ValidationBody,
  failures: Schema.Union(Schema.typeSchema(Invalid), Schema.typeSchema(RuleViolation))
})

/** 429, with `Retry-After`. */
export const TooMany = reported({
  status: 429,
  body: ErrorBody,
  failures: Schema.typeSchema(RateLimited)
})

/** 429 of models: the caller's limit, the credits, or the limit of the model's own provider. */
export const TooManyForModels = reported({
  status: 429,
  body: ModelErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(RateLimited),
    Schema.typeSchema(InsufficientCredits),
    Schema.typeSchema(ModelRateLimited)
  )
})

/** 400 of voices (specification, Errors: per-status rules). */
export const BadVoice = reported({
  status: 400,
  body: ErrorBody,
  failures: Schema.typeSchema(BadRequest)
})

/** 402 of voices: the credits do not cover the text. */
export const Unpaid = reported({
  status: 402,
  body: ErrorBody,
  failures: Schema.typeSchema(InsufficientCredits)
})

/** 403 of voices: the key, or the plan, which holds no more of them. */
export const VoicesForbidden = reported({
  status: 403,
  body: ErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(InvalidApiKey),
    Schema.typeSchema(NotAllowed),
    Schema.typeSchema(TierLimitReached)
  )
})

/** 429 of voices: the caller's limit, or that of the engine's own provider. */
export const TooManyForVoices = reported({
  status: 429,
  body: ErrorBody,
  failures: Schema.Union(Schema.typeSchema(RateLimited), Schema.typeSchema(ModelRateLimited))
})

/** 503 of voices: the engine is not to be had, or the server has too much to do. */
export const VoicesOutOfService = reported({
  status: 503,
  body: ErrorBody,
  failures: Schema.Union(
    Schema.typeSchema(ModelUnavailable),
    Schema.typeSchema(Overloaded),
    Schema.typeSchema(Unavailable)
  )
})

/** 500 of voices: speaking failed before the first byte. */
export const SpeakingFailed = reported({
  status: 500,
  body: ErrorBody,
  failures: Schema.typeSchema(ModelFailed)
})

/** 502 of voices: usage could not be recorded. */
export const Unrecorded = reported({
  status: 502,
  body: ErrorBody,
  failures: Schema.typeSchema(BillingUnavailable)
})

/** 502: usage could not be recorded; on responses also that the model failed. */
export const NotDone = reported({
  status: 502,
  body: ModelErrorBody,
  failures: Schema.Union(Schema.typeSchema(BillingUnavailable), Schema.typeSchema(ModelFailed))
})

/** 503 of models: the model is not to be had. */
export const ModelOutOfService = reported({
  status: 503,
  body: ModelErrorBody,
  failures: Schema.Union(Schema.typeSchema(ModelUnavailable), Schema.typeSchema(Overloaded))
})

/** 504: the model took too long. */
export const TooLate = reported({
  status: 504,
  body: ErrorBody,
  failures: Schema.typeSchema(ModelTimedOut)
})

/** 503: under heavy load, with `Retry-After`, or because a part is out of service (shapes 5.2). */
export const OutOfService = reported({
  status: 503,
  body: ErrorBody,
  failures: Schema.Union(Schema.typeSchema(Overloaded), Schema.typeSchema(Unavailable))
})
