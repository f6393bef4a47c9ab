import { Schema } from "effect"

/** A field that is not always there, and never undefined. */
export const sometimes = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Why an answer ended; the last is deprecated and never sent. */
export const ChatFinish = Schema.Union(
  Schema.Literal("stop", "length", "tool_calls", "content_filter"),
  Schema.Literal("function_call").annotations({
    jsonSchema: { type: "string", enum: ["function_call"], deprecated: true, description: "Never sent" }
  })
)

/** How likely a token was: its natural logarithm, and its UTF-8, null where it is a part of a character. */
const likelihood = {
  token: Schema.String,
  logprob: Schema.Number,
  bytes: Schema.NullOr(Schema.Array(Schema.Int))
}

/** How likely the tokens of the content were, each with the likeliest ones at its place. */
export const ChatLogprobs = Schema.Struct({
  content: Schema.Array(
    Schema.Struct({ ...likelihood, top_logprobs: Schema.Array(Schema.Struct(likelihood)) })
  ),
  refusal: Schema.Null
}).annotations({ identifier: "ChatLogprobs" })

/** Tokens taken up; all answers to one body together. */
export const ChatUsage = Schema.Struct({
  prompt_tokens: Schema.Int,
  completion_tokens: Schema.Int,
  total_tokens: Schema.Int,
  completion_tokens_details: Schema.Struct({
    reasoning_tokens: Schema.Int.annotations({ description: "Those of thinking; part of completion_tokens" })
  }),
  prompt_tokens_details: Schema.NullOr(Schema.Struct({ cached_tokens: Schema.Int })).annotations({
    description: "Those that the model knew from before; part of prompt_tokens, and null when there were none"
  })
}).annotations({ identifier: "ChatUsage" })
export type ChatUsage = typeof ChatUsage.Type

/** A function that the model asks for. */
const ChatToolCall = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("function"),
  function: Schema.Struct({
    name: Schema.String,
    arguments: Schema.String.annotations({ description: "JSON text, as the model wrote it" })
  })
})

const ChatChoice = Schema.Struct({
  index: Schema.Int,
  message: Schema.Struct({
    role: Schema.Literal("assistant"),
    content: Schema.NullOr(Schema.String).annotations({
      description: "Null when the model only asks for functions, or refuses"
    }),
    refusal: Schema.NullOr(Schema.String).annotations({ description: "Why the model will not answer" }),
    reasoning_content: sometimes(
      Schema.String.annotations({ description: "What the model thought; counts as completion_tokens" })
    ),
    tool_calls: sometimes(Schema.Array(ChatToolCall))
  }),
  logprobs: Schema.NullOr(ChatLogprobs),
  finish_reason: ChatFinish
})
export type ChatChoice = typeof ChatChoice.Type

/** The answer of chat completions (specification, Chat completions v1). */
export const ChatCompletion = Schema.Struct({
  id: Schema.String.annotations({ description: "The id of the request, as in x-request-id" }),
  object: Schema.Literal("chat.completion"),
  created: Schema.Int.annotations({ description: "Unix seconds" }),
  model: Schema.String.annotations({ description: "The model that was asked for" }),
  choices: Schema.Array(ChatChoice),
  usage: ChatUsage,
  service_tier: Schema.Null,
  system_fingerprint: Schema.Null
}).annotations({ identifier: "ChatCompletion" })
export type ChatCompletion = typeof ChatCompletion.Type
