import { Schema } from "effect"

/** A field that may be absent, but is never undefined. */
const absentable = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** The reason a choice ended. `function_call` is deprecated and never sent. */
const ChatFinish = Schema.Union(
  Schema.Literal("stop", "length", "tool_calls", "content_filter"),
  Schema.Literal("function_call").annotations({
    jsonSchema: { type: "string", enum: ["function_call"], deprecated: true, description: "Never sent" }
  })
)

/** A token with its natural log probability and its UTF-8 bytes, which are null for a part of a character. */
const tokenLogprob = {
  token: Schema.String,
  logprob: Schema.Number,
  bytes: Schema.NullOr(Schema.Array(Schema.Int))
}

/** Log probabilities of the tokens of the content, each with the likeliest alternatives. */
export const ChatLogprobs = Schema.Struct({
  content: Schema.Array(
    Schema.Struct({ ...tokenLogprob, top_logprobs: Schema.Array(Schema.Struct(tokenLogprob)) })
  ),
  refusal: Schema.Null
}).annotations({ identifier: "ChatLogprobs" })

/** Tokens used by all choices together. */
export const ChatUsage = Schema.Struct({
  prompt_tokens: Schema.Int,
  completion_tokens: Schema.Int,
  total_tokens: Schema.Int,
  completion_tokens_details: Schema.Struct({
    reasoning_tokens: Schema.Int.annotations({ description: "Reasoning tokens; part of completion_tokens" })
  }),
  prompt_tokens_details: Schema.NullOr(Schema.Struct({ cached_tokens: Schema.Int })).annotations({
    description: "Tokens read from the provider's cache; part of prompt_tokens, and null when there were none"
  })
}).annotations({ identifier: "ChatUsage" })
export type ChatUsage = typeof ChatUsage.Type

/** A function call of the model. */
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
      description: "Null when the model only calls functions, or refuses"
    }),
    refusal: Schema.NullOr(Schema.String).annotations({ description: "The model's explanation when it refuses" }),
    reasoning_content: absentable(
      Schema.String.annotations({ description: "The model's reasoning; counts towards completion_tokens" })
    ),
    tool_calls: absentable(Schema.Array(ChatToolCall))
  }),
  logprobs: Schema.NullOr(ChatLogprobs),
  finish_reason: ChatFinish
})
export type ChatChoice = typeof ChatChoice.Type

/** The response body of a chat completion that is not streamed. */
export const ChatCompletion = Schema.Struct({
  id: Schema.String.annotations({ description: "The request id, as in x-request-id" }),
  object: Schema.Literal("chat.completion"),
  created: Schema.Int.annotations({ description: "Unix seconds" }),
  model: Schema.String.annotations({ description: "The model of the request" }),
  choices: Schema.Array(ChatChoice),
  usage: ChatUsage,
  service_tier: Schema.Null,
  system_fingerprint: Schema.Null
}).annotations({ identifier: "ChatCompletion" })
export type ChatCompletion = typeof ChatCompletion.Type

const Delta = Schema.Struct({
  role: absentable(Schema.Literal("assistant")),
  content: absentable(Schema.String),
  reasoning_content: absentable(Schema.String),
  refusal: absentable(Schema.String),
  tool_calls: absentable(Schema.Array(Schema.Struct({
    index: Schema.Int,
    id: absentable(Schema.String),
    type: absentable(Schema.Literal("function")),
    function: Schema.Struct({ name: absentable(Schema.String), arguments: Schema.String })
  })))
})

/**
 * One event of a streamed chat completion. Each choice sends its role, then deltas of reasoning, content and function
 * calls, and an empty delta with `finish_reason`. With `stream_options.include_usage` every event has `usage`: null in
 * all but the last, which has no choices.
 */
export const ChatChunk = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("chat.completion.chunk"),
  created: Schema.Int,
  model: Schema.String,
  choices: Schema.Array(Schema.Struct({
    index: Schema.Int,
    delta: Delta,
    logprobs: Schema.NullOr(ChatLogprobs),
    finish_reason: Schema.NullOr(ChatFinish)
  })),
  usage: absentable(Schema.NullOr(ChatUsage))
}).annotations({ identifier: "ChatChunk" })
export type ChatChunk = typeof ChatChunk.Type
