import { chunkedArray } from "@trunkline/kernel"
import { Array, Effect, ParseResult, Predicate, Schema } from "effect"
import { decodedBy, documentedAs, nullable } from "../resource/Fields.js"
import { SummaryText } from "../resource/OutputItem.js"

const InputText = Schema.Struct({ type: Schema.Literal("input_text"), text: Schema.String })

const OutputText = Schema.Struct({ type: Schema.Literal("output_text"), text: Schema.String })

const Refusal = Schema.Struct({ type: Schema.Literal("refusal"), refusal: Schema.String })

const InputImage = Schema.Struct({
  type: Schema.Literal("input_image"),
  image_url: Schema.String.annotations({ description: "A data URL that holds the image in base64" }),
  detail: nullable(Schema.Literal("auto", "low", "high"), "The resolution at which the model sees the image")
})

/** A part of a message or of a tool result. */
export const InputPart = Schema.Union(InputText, OutputText, Refusal, InputImage).annotations({
  identifier: "ResponseInputPart"
})
export type InputPart = typeof InputPart.Type

/** A list of any length, decoded in chunks so that other fibers run in between. */
const chunkedList = <A, I>(item: Schema.Schema<A, I>) =>
  chunkedArray(Schema.Array(Schema.Unknown), item, documentedAs(Schema.Array(item)))

const Content = Schema.Union(Schema.String, chunkedList(InputPart))

const NonEmpty = Schema.String.pipe(Schema.minLength(1))

const message = { role: Schema.Literal("user", "assistant", "system", "developer"), content: Content }

const Message = Schema.Struct({ type: Schema.Literal("message"), ...message })

/** A message without a type. */
const UntypedMessage = Schema.Struct({ type: Schema.optional(Schema.Null), ...message })

const FunctionCall = Schema.Struct({
  type: Schema.Literal("function_call"),
  call_id: NonEmpty,
  name: NonEmpty,
  arguments: Schema.String.annotations({ description: "JSON text" })
})

const FunctionCallOutput = Schema.Struct({
  type: Schema.Literal("function_call_output"),
  call_id: NonEmpty.annotations({ description: "The call_id of an earlier function_call" }),
  output: Content
})

const Reasoning = Schema.Struct({ type: Schema.Literal("reasoning"), summary: chunkedList(SummaryText) })

const TypedItem = Schema.Union(Message, FunctionCall, FunctionCallOutput, Reasoning)

const decodeTyped = ParseResult.decodeUnknown(TypedItem)
const decodeUntyped = ParseResult.decodeUnknown(UntypedMessage)

const noReference =
  "Responses are not kept: send the item itself in place of a reference to it. In the AI SDK, set store to false."

/** True for an item that only refers to one of an earlier response. Some clients leave its type out. */
const isReference = ({ id, role, type }: Readonly<Record<string, unknown>>) =>
  type === "item_reference" || (type == null && role === undefined && Predicate.isString(id))

/**
 * An item of a conversation: a message, a tool call, its result, or reasoning. Output items can be sent back as they
 * came, since unknown fields are ignored. The `type` alone selects the schema of an item, so that issues are reported
 * against that schema only.
 */
export type InputItem = typeof TypedItem.Type | typeof UntypedMessage.Type
export const InputItem: Schema.Schema<InputItem, unknown> = decodedBy<InputItem>((value, options, ast) => {
  if (!Predicate.isReadonlyRecord(value)) return decodeTyped(value, options)
  if (isReference(value)) return ParseResult.fail(new ParseResult.Type(ast, value, noReference))
  return value["type"] == null ? decodeUntyped(value, options) : decodeTyped(value, options)
}, Schema.Union(UntypedMessage, TypedItem)).annotations({ identifier: "ResponseInputItem" })

const decodeItems = ParseResult.decodeUnknown(
  chunkedArray(Schema.Array(Schema.Unknown).pipe(Schema.minItems(1)), InputItem, { jsonSchema: {} })
)

const decodeText = ParseResult.decodeUnknown(NonEmpty)
const decodeItem = ParseResult.decodeUnknown(InputItem)

/** A conversation. */
export interface Input {
  readonly items: ReadonlyArray<InputItem>
  /** False when the body has one item or text in place of a list. */
  readonly isList: boolean
}

const single = (item: InputItem): Input => ({ items: [item], isList: false })

/** The conversation so far: a user message as text, one item, or a list of items. */
export const Input = decodedBy<Input>((value, options, ast) => {
  if (Array.isArray(value)) {
    return Effect.map(decodeItems(value, options), (items) => ({ items, isList: true }))
  }
  if (Predicate.isString(value)) {
    return Effect.map(decodeText(value, options), (content) => single({ role: "user", content }))
  }
  return Predicate.isReadonlyRecord(value)
    ? Effect.map(decodeItem(value, options), single)
    : ParseResult.fail(new ParseResult.Type(ast, value))
}, Schema.Union(NonEmpty, InputItem, Schema.Array(InputItem).pipe(Schema.minItems(1))))
