import { Schema } from "effect"

/** Message of a request to a model. */
export const ModelInputMessage = Schema.Struct({
  /** `user`, `assistant`, `tool`, or a role that only the model knows. */
  role: Schema.String,
  /** Text, without images; null of an assistant that only calls tools. */
  content: Schema.NullOr(Schema.String),
  /** Name of the tool whose result it is; only of tools. */
  tool_name: Schema.optionalWith(Schema.String, { exact: true }),
  /** Tools that the assistant called, with their arguments as the model wrote them. */
  tool_calls: Schema.optionalWith(Schema.Array(Schema.Struct({ name: Schema.String, arguments: Schema.String })), {
    exact: true
  })
})
export type ModelInputMessage = typeof ModelInputMessage.Type

/** Fields of what a model was sent during a call, as the difference to the request before it, apart from its time. */
export const modelInputFields = {
  /** Number of turns of the transcript before it. Its answer, if one was heard, is the turn at this index. */
  turn: Schema.Int,
  model: Schema.String,
  /** Instructions; absent where they are those of the request before. */
  system: Schema.optionalWith(Schema.String, { exact: true }),
  /** Names of the tools that the model could call; absent where they are those of the request before. */
  tools: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Reasoning effort, sampling and limits that were set, by name; absent where they are those of the request before. */
  options: Schema.optionalWith(
    Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.Union(Schema.String, Schema.Number)) }),
    { exact: true }
  ),
  /** Number of messages, from the first one, that are those of the request before. */
  kept_messages: Schema.Int,
  /** Messages after the kept ones. */
  messages: Schema.Array(ModelInputMessage),
  /** Number of UTF-16 units that were left out of its texts, since they were too long; mostly 0. */
  omitted: Schema.Int,
  /** `answered`, `failed`, or `given_up` since the caller went on or the call ended. */
  outcome: Schema.Literal("answered", "failed", "given_up"),
  /** Why the model failed, without secrets and personal data; null unless it did. */
  failure: Schema.NullOr(Schema.String),
  /** Tokens that the model reports to have read and written; null where it reports none. */
  input_tokens: Schema.NullOr(Schema.Int),
  output_tokens: Schema.NullOr(Schema.Int)
}
