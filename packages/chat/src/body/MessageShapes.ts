import { Schema } from "effect"
import { RefusalPart, TextPart } from "./ChatParts.js"
import { optional } from "./Fields.js"
import { listOf } from "./Lists.js"

const Name = optional(Schema.String.pipe(Schema.maxLength(256)), "Tells those of one role apart")

const contentOf = <A, I>(part: Schema.Schema<A, I>) => Schema.Union(Schema.String, listOf(part))

/** What the model is told to be. */
export const SystemMessage = Schema.Struct({
  role: Schema.Literal("system"),
  content: contentOf(TextPart)
}).annotations({ identifier: "ChatSystemMessage" })

/** The same as a system message. */
export const DeveloperMessage = Schema.Struct({
  role: Schema.Literal("developer"),
  content: contentOf(TextPart)
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
  content: Schema.optional(
    Schema.NullOr(contentOf(Schema.Union(TextPart, RefusalPart))).annotations({
      description: "May be left out where there are tool_calls or a refusal"
    })
  ),
  refusal: optional(Schema.String),
  reasoning_content: optional(Schema.String, "What the model had thought"),
  tool_calls: optional(listOf(ToolCall)),
  name: Name
}).pipe(
  Schema.filter(({ content, refusal, tool_calls = [] }) =>
    content === undefined && refusal === undefined && tool_calls.length === 0
      ? { path: ["content"], message: "May only be left out where there are tool_calls or a refusal" }
      : undefined
  )
).annotations({ identifier: "ChatAssistantMessage" })

/** What a function that the model asked for came to. */
export const ToolMessage = Schema.Struct({
  role: Schema.Literal("tool"),
  content: contentOf(TextPart),
  tool_call_id: Schema.NonEmptyString
}).annotations({ identifier: "ChatToolMessage" })

/** What somebody says, in parts of such a kind. */
export const userMessage = <A, I>(part: Schema.Schema<A, I>, version: "V1" | "V2") =>
  Schema.Struct({
    role: Schema.Literal("user"),
    content: contentOf(part),
    name: Name
  }).annotations({ identifier: `ChatUserMessage${version}` })

/** A message of a role that only the model itself knows. */
export const otherMessage = <A, I>(part: Schema.Schema<A, I>, version: "V1" | "V2") =>
  Schema.Struct({
    role: Schema.NonEmptyString.pipe(Schema.maxLength(64)),
    content: contentOf(part),
    name: Name
  }).annotations({ identifier: `ChatOtherMessage${version}` })
