import { inPieces } from "@trunkline/kernel"
import { ParseResult, Predicate, Schema } from "effect"
import { SummaryText } from "../resource/OutputItem.js"
import { likewise, nullable, readBy } from "./Fields.js"

const InputText = Schema.Struct({ type: Schema.Literal("input_text"), text: Schema.String })

const OutputText = Schema.Struct({ type: Schema.Literal("output_text"), text: Schema.String })

const Refusal = Schema.Struct({ type: Schema.Literal("refusal"), refusal: Schema.String })

const InputImage = Schema.Struct({
  type: Schema.Literal("input_image"),
  image_url: Schema.String.annotations({ description: "A data URL that holds the image in base64" }),
  detail: nullable(Schema.Literal("auto", "low", "high"), "How closely to look")
})

/** A piece of what was said. */
export const InputPart = Schema.Union(InputText, OutputText, Refusal, InputImage).annotations({
  identifier: "ResponseInputPart"
})
export type InputPart = typeof InputPart.Type

/** A list that is read in pieces, however long it is. */
const listOf = <A, I>(item: Schema.Schema<A, I>) =>
  inPieces(Schema.Array(Schema.Unknown), item, likewise(Schema.Array(item)))

const Content = Schema.Union(Schema.String, listOf(InputPart))

const Name = Schema.String.pipe(Schema.minLength(1))

const message = { role: Schema.Literal("user", "assistant", "system", "developer"), content: Content }

const Message = Schema.Struct({ type: Schema.Literal("message"), ...message })

/** A message that does not say that it is one. */
const BareMessage = Schema.Struct({ type: Schema.optional(Schema.Null), ...message })

const FunctionCall = Schema.Struct({
  type: Schema.Literal("function_call"),
  call_id: Name,
  name: Name,
  arguments: Schema.String.annotations({ description: "JSON text" })
})

const FunctionCallOutput = Schema.Struct({
  type: Schema.Literal("function_call_output"),
  call_id: Name.annotations({ description: "That of an earlier function_call" }),
  output: Content
})

const Reasoning = Schema.Struct({ type: Schema.Literal("reasoning"), summary: listOf(SummaryText) })

const Named = Schema.Union(Message, FunctionCall, FunctionCallOutput, Reasoning)

const decodeNamed = ParseResult.decodeUnknown(Named)
const decodeBare = ParseResult.decodeUnknown(BareMessage)

const noReference =
  "Responses are not kept: send the item itself in place of a reference to it. In the AI SDK, set store to false."

/** Whether an item only names one of an earlier response. Some clients leave the type out. */
const isReference = ({ id, role, type }: Readonly<Record<string, unknown>>) =>
  type === "item_reference" || (type == null && role === undefined && Predicate.isString(id))

/**
 * One thing in a conversation (shapes 9.4): what was said, a tool that was asked for, its result, or what the model
 * thought. Output items can be sent back as they came: what is not named here is passed over. The `type` says by which
 * shape an item is read, so that only what is wrong by that one is told.
 */
export type InputItem = typeof Named.Type | typeof BareMessage.Type
export const InputItem: Schema.Schema<InputItem, unknown> = readBy<InputItem>((value, options, ast) => {
  if (!Predicate.isReadonlyRecord(value)) return decodeNamed(value, options)
  if (isReference(value)) return ParseResult.fail(new ParseResult.Type(ast, value, noReference))
  return value["type"] == null ? decodeBare(value, options) : decodeNamed(value, options)
}, Schema.Union(BareMessage, Named)).annotations({ identifier: "ResponseInputItem" })
