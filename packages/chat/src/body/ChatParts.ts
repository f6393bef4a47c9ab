import { issueType } from "@trunkline/errors"
import { type Content, type ContentPart, inlineImage } from "@trunkline/models"
import { Either, ParseResult, Schema } from "effect"
import { optional } from "./Fields.js"

/** Words. */
export const TextPart = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }).annotations({
  identifier: "ChatTextPart"
})

/** Why the model would not answer. */
export const RefusalPart = Schema.Struct({ type: Schema.Literal("refusal"), refusal: Schema.String })

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

/** Words, or an image that comes with them. */
export const AnyPart = Schema.Union(TextPart, ImagePart)
export type AnyPart = typeof AnyPart.Type

/** The words of content that is nothing else. */
export const wordsIn = (content: string | ReadonlyArray<typeof TextPart.Type | typeof RefusalPart.Type>): string =>
  typeof content === "string"
    ? content
    : content.map((part) => part.type === "text" ? part.text : part.refusal).join("")

const neutralPart = (part: AnyPart): ContentPart => {
  if (part.type === "text") return part
  const { detail, url } = part.image_url
  return { ...url, ...(detail !== undefined && { detail }) }
}

/** Content in no provider's words. */
export const neutralContent = (content: string | ReadonlyArray<AnyPart>): Content =>
  typeof content === "string" ? content : content.map(neutralPart)
