import { issuesOf, ModelFailed } from "@trunkline/errors"
import { type Completion, type Delta, emptyCompletion } from "@trunkline/models"
import { Effect, Either, type ParseResult, Schema } from "effect"

const exact = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Arguments of a tool: JSON text, or what the text would hold. */
const Arguments = Schema.Unknown.pipe(Schema.transform(Schema.String, {
  strict: true,
  decode: (value) => typeof value === "string" ? value : JSON.stringify(value) ?? "{}",
  encode: (text) => text
}))

const ToolRequest = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  arguments: Schema.optionalWith(Arguments, { default: () => "{}" })
})

const finishes = ["stop", "length", "tool_calls", "content_filter"] as const

const Usage = Schema.Struct({
  inputTokens: Schema.NonNegativeInt,
  cachedTokens: Schema.NonNegativeInt,
  outputTokens: Schema.NonNegativeInt,
  reasoningTokens: Schema.NonNegativeInt
})

const likelihood = { token: Schema.String, logprob: Schema.Number }

const TokenChoice = Schema.Struct({ ...likelihood, top: Schema.Array(Schema.Struct(likelihood)) })

/** Shape of an answer. */
const Answer = Schema.Struct({
  text: exact(Schema.String),
  reasoning: exact(Schema.String),
  refusal: exact(Schema.NullOr(Schema.String)),
  toolRequests: exact(Schema.Array(ToolRequest)),
  finish: exact(Schema.Literal(...finishes)),
  usage: exact(Schema.NullOr(Usage)),
  logprobs: exact(Schema.Array(TokenChoice))
}).pipe(
  Schema.filter(({ refusal, text, toolRequests }) =>
    text !== undefined || toolRequests !== undefined || refusal !== undefined
      ? undefined
      : "it has neither text nor toolRequests"
  )
)

const decode = Schema.decodeUnknownEither(Answer, { onExcessProperty: "error" })

const senseless = (reason: string) =>
  new ModelFailed({
    message: `The model gave an answer that makes no sense: ${reason}${
      reason.endsWith("?") ? "" : "."
    } Return a text or { text }`
  })

/** Why a value is no answer: its first wrong field, and what that must be. */
const reasonOf = (error: ParseResult.ParseError): string => {
  const [{ loc, msg }] = issuesOf(error, "body")
  return [loc.slice(1).join("."), msg].filter(Boolean).join(": ")
}

/** The answer of a plain model's `generate`; fails at what is none, and names its field. */
export const completionOf = (answer: unknown): Effect.Effect<Completion, ModelFailed> => {
  if (typeof answer === "string") return Effect.succeed({ ...emptyCompletion, finish: "stop", text: answer })
  if (answer === undefined) return senseless("it is nothing")
  return Either.match(decode(answer), {
    onLeft: (error) => senseless(reasonOf(error)),
    onRight: (value) => Effect.succeed({ ...emptyCompletion, finish: "stop", ...value })
  })
}

const tags: ReadonlyArray<string> = ["Text", "Reasoning", "Refusal", "ToolStart", "ToolArgs", "Usage", "Finish"]

const isDelta = (piece: unknown): piece is Delta => {
  if (typeof piece !== "object" || piece === null || !("_tag" in piece) || !tags.includes(String(piece._tag))) {
    return false
  }
  return !("text" in piece) || typeof piece.text === "string"
}

/** A piece of a plain model's `stream`; fails at what is none. */
export const deltaOf = (piece: unknown): Effect.Effect<Delta, ModelFailed> =>
  typeof piece === "string"
    ? Effect.succeed({ _tag: "Text", text: piece })
    : isDelta(piece)
    ? Effect.succeed(piece)
    : senseless("a piece of its stream is neither a text nor a delta")
