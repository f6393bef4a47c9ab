import { Schema } from "effect"
import { ChatFinish, ChatLogprobs, ChatUsage, sometimes } from "./ChatCompletion.js"

const Delta = Schema.Struct({
  role: sometimes(Schema.Literal("assistant")),
  content: sometimes(Schema.String),
  reasoning_content: sometimes(Schema.String),
  refusal: sometimes(Schema.String),
  tool_calls: sometimes(Schema.Array(Schema.Struct({
    index: Schema.Int,
    id: sometimes(Schema.String),
    type: sometimes(Schema.Literal("function")),
    function: Schema.Struct({ name: sometimes(Schema.String), arguments: Schema.String })
  })))
})

/**
 * One event of a streamed answer (shapes 9.2). Of each choice there come its role, what it thought, content and
 * functions piece by piece, and an empty delta with `finish_reason`. With `stream_options.include_usage` every event has
 * `usage`, which is null but in one last event without choices.
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
  usage: sometimes(Schema.NullOr(ChatUsage))
}).annotations({ identifier: "ChatChunk" })
export type ChatChunk = typeof ChatChunk.Type
