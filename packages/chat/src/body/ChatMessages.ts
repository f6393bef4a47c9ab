import type { Message } from "@trunkline/models"
import { type Effect, ParseResult, Predicate, Schema, type SchemaAST } from "effect"
import { AnyPart, neutralContent, TextPart, wordsIn } from "./ChatParts.js"
import { longList } from "./Lists.js"
import {
  AssistantMessage,
  DeveloperMessage,
  otherMessage,
  SystemMessage,
  ToolMessage,
  userMessage
} from "./MessageShapes.js"

type Reader = (message: unknown, options: SchemaAST.ParseOptions) => Effect.Effect<Message, ParseResult.ParseIssue>

const named = ({ name }: { readonly name?: string | undefined }) => name === undefined ? {} : { name }

/** Reads a message of one role, and says the same in no provider's words. */
const reading = <A, I>(shape: Schema.Schema<A, I>, neutral: (message: A) => Message): Reader => {
  const read = ParseResult.decodeUnknown(shape)
  return (message, options) => ParseResult.map(read(message, options), neutral)
}

const readers = {
  system: reading(SystemMessage, ({ content }) => ({ role: "system", content: wordsIn(content) })),
  developer: reading(DeveloperMessage, ({ content }) => ({ role: "system", content: wordsIn(content) })),
  tool: reading(ToolMessage, ({ content, tool_call_id }) => ({
    role: "tool",
    toolRequestId: tool_call_id,
    name: "",
    content: wordsIn(content)
  })),
  assistant: reading(AssistantMessage, (message) => ({
    role: "assistant",
    content: message.content == null ? message.refusal ?? null : wordsIn(message.content),
    toolRequests: (message.tool_calls ?? []).map(({ function: { name, arguments: text }, id }) => ({
      id,
      name,
      arguments: text
    })),
    ...(message.reasoning_content !== undefined && { reasoning: message.reasoning_content }),
    ...named(message)
  }))
}

const roleOf = (message: unknown): string =>
  Predicate.hasProperty(message, "role") && Predicate.isString(message.role) ? message.role : ""

/**
 * The messages of a conversation whose users send such parts. Each is read as one of its role, and told what is wrong
 * with it as that and nothing else; a role that has no meaning here is left to the model.
 */
const messagesOf = <A extends AnyPart, I>(part: Schema.Schema<A, I>, version: "V1" | "V2") => {
  const user = userMessage(part, version)
  const other = otherMessage(part, version)
  const byRole: Readonly<Record<string, Reader>> = {
    ...readers,
    user: reading(user, (message) => ({
      role: "user",
      content: neutralContent(message.content),
      ...named(message)
    }))
  }
  const byOther = reading(other, (message) => ({
    role: "other",
    as: message.role,
    content: neutralContent(message.content),
    ...named(message)
  }))
  const message = Schema.declare([], {
    decode: () => (message, options): Effect.Effect<Message, ParseResult.ParseIssue> => {
      const role = roleOf(message)
      const read = Object.hasOwn(byRole, role) ? byRole[role] : undefined
      return (read ?? byOther)(message, options)
    },
    encode: () => (message, _, ast): Effect.Effect<unknown, ParseResult.ParseIssue> =>
      ParseResult.fail(new ParseResult.Forbidden(ast, message, "Bodies are only read"))
  })
  const shape = Schema.Union(SystemMessage, DeveloperMessage, AssistantMessage, ToolMessage, user, other)
  return longList(
    Schema.Array(Schema.Unknown).pipe(Schema.minItems(1)),
    message,
    Schema.NonEmptyArray(shape).annotations({ description: "The conversation so far" })
  )
}

/** The messages of v1: words only. */
export const ChatMessagesV1 = messagesOf(TextPart, "V1")

/** The messages of v2: words and images. */
export const ChatMessagesV2 = messagesOf(AnyPart, "V2")
