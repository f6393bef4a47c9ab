import type { Message } from "@trunkline/models"
import { type Effect, ParseResult, Predicate, Schema, type SchemaAST } from "effect"
import { chunkedListAs } from "./Fields.js"
import {
  AnyPart,
  AssistantMessage,
  DeveloperMessage,
  joinText,
  otherMessage,
  SystemMessage,
  TextPart,
  toContent,
  ToolMessage,
  userMessage
} from "./MessageSchemas.js"

type Decoder = (message: unknown, options: SchemaAST.ParseOptions) => Effect.Effect<Message, ParseResult.ParseIssue>

const nameOf = ({ name }: { readonly name?: string | undefined }) => name === undefined ? {} : { name }

/** Decodes messages of one role and converts them to the provider-independent form. */
const decoder = <A, I>(schema: Schema.Schema<A, I>, toMessage: (message: A) => Message): Decoder => {
  const decode = ParseResult.decodeUnknown(schema)
  return (message, options) => ParseResult.map(decode(message, options), toMessage)
}

const decoders = {
  system: decoder(SystemMessage, ({ content }) => ({ role: "system", content: joinText(content) })),
  developer: decoder(DeveloperMessage, ({ content }) => ({ role: "system", content: joinText(content) })),
  tool: decoder(ToolMessage, ({ content, tool_call_id }) => ({
    role: "tool",
    toolRequestId: tool_call_id,
    name: "",
    content: joinText(content)
  })),
  assistant: decoder(AssistantMessage, (message) => ({
    role: "assistant",
    content: message.content == null ? message.refusal ?? null : joinText(message.content),
    toolRequests: (message.tool_calls ?? []).map(({ function: { name, arguments: text }, id }) => ({
      id,
      name,
      arguments: text
    })),
    ...(message.reasoning_content !== undefined && { reasoning: message.reasoning_content }),
    ...nameOf(message)
  }))
}

const roleOf = (message: unknown): string =>
  Predicate.hasProperty(message, "role") && Predicate.isString(message.role) ? message.role : ""

/**
 * The messages of a conversation, in which users may send the given kind of parts. The role alone selects the schema of
 * a message, so that issues are reported against that schema only. Messages with unknown roles are passed to the model.
 */
const messagesOf = <A extends AnyPart, I>(part: Schema.Schema<A, I>, version: "V1" | "V2") => {
  const user = userMessage(part, version)
  const other = otherMessage(part, version)
  const byRole: Readonly<Record<string, Decoder>> = {
    ...decoders,
    user: decoder(user, (message) => ({
      role: "user",
      content: toContent(message.content),
      ...nameOf(message)
    }))
  }
  const decodeOther = decoder(other, (message) => ({
    role: "other",
    as: message.role,
    content: toContent(message.content),
    ...nameOf(message)
  }))
  const message = Schema.declare([], {
    decode: () => (message, options): Effect.Effect<Message, ParseResult.ParseIssue> => {
      const role = roleOf(message)
      const decode = Object.hasOwn(byRole, role) ? byRole[role] : undefined
      return (decode ?? decodeOther)(message, options)
    },
    encode: () => (message, _, ast): Effect.Effect<unknown, ParseResult.ParseIssue> =>
      ParseResult.fail(new ParseResult.Forbidden(ast, message, "Request bodies are only decoded"))
  })
  const messageSchema = Schema.Union(SystemMessage, DeveloperMessage, AssistantMessage, ToolMessage, user, other)
  return chunkedListAs(
    Schema.Array(Schema.Unknown).pipe(Schema.minItems(1)),
    message,
    Schema.NonEmptyArray(messageSchema).annotations({ description: "The conversation so far" })
  )
}

/** The messages of v1: text only. */
export const ChatMessagesV1 = messagesOf(TextPart, "V1")

/** The messages of v2: text and images. */
export const ChatMessagesV2 = messagesOf(AnyPart, "V2")
