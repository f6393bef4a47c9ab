import { issueType } from "@trunkline/errors"
import { type Content, type ContentPart, inlineImage } from "@trunkline/models"
import { Either, ParseResult, Schema } from "effect"
import { chunkedList, optional } from "./Fields.js"

/** A text part of a message. */
export const TextPart = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }).annotations({
  identifier: "ChatTextPart"
})

/** The model's explanation of why it refused. */
const RefusalPart = Schema.Struct({ type: Schema.Literal("refusal"), refusal: Schema.String })

const InlineImage = Schema.transformOrFail(
  Schema.String.annotations({ description: "A data URL that holds the image in base64" }),
  Schema.Struct({ type: Schema.Literal("image"), mediaType: Schema.String, base64: Schema.String }),
  {
    decode: (url, _, ast) => Either.mapLeft(inlineImage(url), (fault) => new ParseResult.Type(ast, url, fault)),
    encode: ({ base64, mediaType }) => ParseResult.succeed(`data:${mediaType};base64,${base64}`)
  }
).annotations(issueType("url_parsing"))

const ImagePart = Schema.Struct({
  type: Schema.Literal("image_url"),
  image_url: Schema.Struct({ url: InlineImage, detail: optional(Schema.Literal("auto", "low", "high")) })
})

/** A text or image part of a message. */
export const AnyPart = Schema.Union(TextPart, ImagePart)
export type AnyPart = typeof AnyPart.Type

/** The text of content that has only text and refusals, its parts joined without a separator. */
export const joinText = (content: string | ReadonlyArray<typeof TextPart.Type | typeof RefusalPart.Type>): string =>
  typeof content === "string"
    ? content
    : content.map((part) => part.type === "text" ? part.text : part.refusal).join("")

const toContentPart = (part: AnyPart): ContentPart => {
  if (part.type === "text") return part
  const { detail, url } = part.image_url
  return { ...url, ...(detail !== undefined && { detail }) }
}

/** Content in the provider-independent form of `@trunkline/models`. */
export const toContent = (content: string | ReadonlyArray<AnyPart>): Content =>
  typeof content === "string" ? content : content.map(toContentPart)

const Name = optional(Schema.String.pipe(Schema.maxLength(256)), "Distinguishes participants of the same role")

const contentOf = <A, I>(part: Schema.Schema<A, I>) => Schema.Union(Schema.String, chunkedList(part))

/** Instructions for the model. */
export const SystemMessage = Schema.Struct({
  role: Schema.Literal("system"),
  content: contentOf(TextPart)
}).annotations({ identifier: "ChatSystemMessage" })

/** Instructions under their newer role name; treated like a system message. */
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

/** An earlier message of the model, as a client received it. */
export const AssistantMessage = Schema.Struct({
  role: Schema.Literal("assistant"),
  content: Schema.optional(
    Schema.NullOr(contentOf(Schema.Union(TextPart, RefusalPart))).annotations({
      description: "Optional where the message has tool_calls or a refusal"
    })
  ),
  refusal: optional(Schema.String),
  reasoning_content: optional(Schema.String, "The model's reasoning"),
  tool_calls: optional(chunkedList(ToolCall)),
  name: Name
}).pipe(
  Schema.filter(({ content, refusal, tool_calls = [] }) =>
    content === undefined && refusal === undefined && tool_calls.length === 0
      ? { path: ["content"], message: "May only be left out where there are tool_calls or a refusal" }
      : undefined
  )
).annotations({ identifier: "ChatAssistantMessage" })

/** The result of a function call. */
export const ToolMessage = Schema.Struct({
  role: Schema.Literal("tool"),
  content: contentOf(TextPart),
  tool_call_id: Schema.NonEmptyString
}).annotations({ identifier: "ChatToolMessage" })

/** A message of the user, whose content may have parts of the given kind. */
export const userMessage = <A, I>(part: Schema.Schema<A, I>, version: "V1" | "V2") =>
  Schema.Struct({
    role: Schema.Literal("user"),
    content: contentOf(part),
    name: Name
  }).annotations({ identifier: `ChatUserMessage${version}` })

/** A message with a role that only the model's provider knows. */
export const otherMessage = <A, I>(part: Schema.Schema<A, I>, version: "V1" | "V2") =>
  Schema.Struct({
    role: Schema.NonEmptyString.pipe(Schema.maxLength(64)),
    content: contentOf(part),
    name: Name
  }).annotations({ identifier: `ChatOtherMessage${version}` })
