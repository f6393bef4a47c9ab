import { ErrorKind, SpendLimit } from "@trunkline/errors"
import { Clock, Effect, Schema } from "effect"
import { JsonObject } from "./Fields.js"
import { OutputItem } from "./OutputItem.js"

/** A tool of the request; fields that were left out are null. */
const EchoedTool = Schema.Struct({
  type: Schema.Literal("function"),
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  parameters: Schema.NullOr(JsonObject),
  strict: Schema.NullOr(Schema.Boolean)
})

const EchoedToolChoice = Schema.Union(
  Schema.Literal("none", "auto", "required"),
  Schema.Struct({ type: Schema.Literal("function"), name: Schema.String })
)

const EchoedFormat = Schema.Union(
  Schema.Struct({ type: Schema.Literal("text", "json_object") }),
  Schema.Struct({
    type: Schema.Literal("json_schema"),
    name: Schema.String,
    description: Schema.optionalWith(Schema.String, { exact: true }),
    schema: JsonObject,
    strict: Schema.Boolean
  })
)

const EchoedReasoning = Schema.Struct({
  effort: Schema.NullOr(Schema.Literal("low", "medium", "high", "max")),
  summary: Schema.NullOr(Schema.Literal("auto", "detailed"))
})

const nullableText = Schema.NullOr(Schema.String)

/** The fields of a response that repeat its request, with defaults filled in. */
export const Echo = Schema.Struct({
  model: Schema.String.annotations({ description: "The public model id of the request" }),
  instructions: nullableText,
  tools: Schema.Array(EchoedTool),
  tool_choice: EchoedToolChoice,
  parallel_tool_calls: Schema.Boolean,
  text: Schema.Struct({ format: EchoedFormat }),
  reasoning: EchoedReasoning,
  temperature: Schema.Number,
  top_p: Schema.Number,
  presence_penalty: Schema.Number,
  frequency_penalty: Schema.Number,
  top_logprobs: Schema.Int,
  max_output_tokens: Schema.NullOr(Schema.Int),
  truncation: Schema.Literal("auto", "disabled"),
  metadata: Schema.Record({ key: Schema.String, value: Schema.String }),
  prompt_cache_key: nullableText,
  prompt_cache_retention: nullableText,
  safety_identifier: nullableText,
  user: nullableText,
  store: Schema.Literal(false),
  background: Schema.Literal(false),
  previous_response_id: Schema.Null,
  conversation: Schema.Null,
  prompt: Schema.Null,
  max_tool_calls: Schema.Null,
  service_tier: Schema.Literal("auto"),
  billing: Schema.Null
})
export type Echo = typeof Echo.Type

/** The error of a failed response. */
export const ResponseError = Schema.Struct({
  message: Schema.String,
  code: Schema.String,
  request_id: nullableText,
  type: ErrorKind.annotations({ description: "The kind of failure, under OpenAI's name" }),
  param: Schema.String.annotations({ description: "The field at fault; empty where no field is" }),
  spend_limits: Schema.optionalWith(Schema.Array(Schema.encodedSchema(SpendLimit)), { exact: true })
})
export type ResponseError = typeof ResponseError.Type

/** Tokens used. Cached tokens are part of the input, reasoning tokens are part of the output. */
export const ResponseUsage = Schema.Struct({
  input_tokens: Schema.Int,
  input_tokens_details: Schema.Struct({ cached_tokens: Schema.Int }),
  output_tokens: Schema.Int,
  output_tokens_details: Schema.Struct({ reasoning_tokens: Schema.Int }),
  total_tokens: Schema.Int
})
export type ResponseUsage = typeof ResponseUsage.Type

/** The reason why a response is incomplete. */
const IncompleteDetails = Schema.Struct({ reason: Schema.Literal("max_output_tokens", "content_filter") })

/** The fields of a response that hold its result. */
export const Outcome = Schema.Struct({
  id: Schema.String.annotations({ description: "The request id, as in the header `x-request-id`" }),
  object: Schema.Literal("response"),
  created_at: Schema.Number.annotations({ description: "Unix seconds, to the millisecond" }),
  completed_at: Schema.NullOr(Schema.Number).annotations({
    description: "Unix seconds, to the millisecond; null unless completed"
  }),
  status: Schema.Literal("in_progress", "completed", "incomplete", "failed"),
  incomplete_details: Schema.NullOr(IncompleteDetails),
  error: Schema.NullOr(ResponseError),
  output: Schema.Array(OutputItem),
  usage: Schema.NullOr(ResponseUsage)
})
export type Outcome = typeof Outcome.Type

/** A response: the body of a successful HTTP response, and the payload of the first and the last stream events. */
export const ResponseResource = Schema.Struct({ ...Outcome.fields, ...Echo.fields }).annotations({
  identifier: "Response"
})
export type ResponseResource = typeof ResponseResource.Type

/** The current time as in `created_at` and `completed_at`: Unix seconds, with milliseconds as a fraction. */
export const unixSeconds: Effect.Effect<number> = Effect.map(
  Clock.currentTimeMillis,
  (now) => Math.floor(now) / 1_000
)
