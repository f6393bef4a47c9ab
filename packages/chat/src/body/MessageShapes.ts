import { Schema } from "effect"
import { optional } from "./Fields.js"
import { shortList } from "./Lists.js"

/** Parts or calls in one message, at the most; ours: messages are read without a pause. */
export const mostPieces = 128

const Name = optional(Schema.String.pipe(Schema.maxLength(256)), "Tells those of one role apart")

/** What the model is told to be. */
export const SystemMessage = Schema.Struct({
  role: Schema.Literal("system"),
  content: Schema.String
}).annotations({ identifier: "ChatSystemMessage" })

/** The same as a system message. */
export const DeveloperMessage = Schema.Struct({
  role: Schema.Literal("developer"),
  content: Schema.String
}).annotations({ identifier: "ChatDeveloperMessage" })

const ToolCall = Schema.Struct({
  id: Schema.NonEmptyString,
  type: Schema.Literal("function"),
  function: Schema.Struct({
    name: Schema.NonEmptyString,
    arguments: Schema.String.annotations({ description: "JSON text, as the model wrote it" })
  })
})

/** An answer from before, as it was received. */
export const AssistantMessage = Schema.Struct({
  role: Schema.Literal("assistant"),
  content: optional(Schema.String, "Needed unless there are tool_calls or a refusal"),
  refusal: optional(Schema.String),
  reasoning_content: optional(Schema.String, "What the model had thought"),
  tool_calls: optional(shortList(ToolCall, mostPieces)),
  name: Name
}).pipe(
  Schema.filter(({ content, refusal, tool_calls = [] }) =>
    content === undefined && refusal === undefined && tool_calls.length === 0
      ? { path: ["content"], message: "Must be a string where there are no tool_calls" }
      : undefined
  )
).annotations({ identifier: "ChatAssistantMessage" })

/** What a function that the model asked for came to. */
export const ToolMessage = Schema.Struct({
  role: Schema.Literal("tool"),
  content: Schema.String,
  tool_call_id: Schema.NonEmptyString
}).annotations({ identifier: "ChatToolMessage" })

/** What somebody says, in parts of such a kind. */
export const userMessage = <A, I>(part: Schema.Schema<A, I>, version: "V1" | "V2") =>
  Schema.Struct({
    role: Schema.Literal("user"),
    content: Schema.Union(Schema.String, shortList(part, mostPieces)),
    name: Name
  }).annotations({ identifier: `ChatUserMessage${version}` })

/** A message of a role that only the model itself knows. */
export const otherMessage = <A, I>(part: Schema.Schema<A, I>, version: "V1" | "V2") =>
  Schema.Struct({
    role: Schema.NonEmptyString.pipe(Schema.maxLength(64)),
    content: Schema.Union(Schema.String, shortList(part, mostPieces)),
    name: Name
  }).annotations({ identifier: `ChatOtherMessage${version}` })
