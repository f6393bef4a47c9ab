import { Predicate, Schema } from "effect"
import { chunkedListAs, flag, Identifier, JsonObject, optional } from "./Fields.js"

const ChatFunction = Schema.Struct({
  name: Identifier,
  description: optional(Schema.String, "Describes the function to the model"),
  parameters: optional(JsonObject, "JSON Schema of the arguments object; no arguments when left out"),
  strict: flag("Requires the arguments to match the schema exactly")
})

const ToolShape = Schema.Struct({ type: Schema.Literal("function"), function: ChatFunction })

/** True for the tool shape of the Responses API, which has the function's fields next to `type`. */
const isFlat = (tool: unknown): boolean =>
  Predicate.isRecord(tool) && tool["function"] === undefined && tool["name"] !== undefined

const NestedTool = Schema.Unknown.pipe(Schema.filter((tool) =>
  isFlat(tool)
    ? { path: ["function"], message: "Put name, description and parameters into an object under this key" }
    : undefined
))

/** A function that the model may call. `strict` is accepted because SDKs send it. */
export const ChatTool = Schema.compose(NestedTool, ToolShape, { strict: false })
export type ChatTool = typeof ToolShape.Type

/** The functions that the model may call. */
export const ChatTools = chunkedListAs(
  Schema.Array(Schema.Unknown),
  ChatTool,
  Schema.Array(ToolShape.annotations({ identifier: "ChatTool" }))
)

/** Allows, requires or forbids function calls, or requires a call of one named function. */
export const ChatToolChoice = Schema.Union(
  Schema.Literal("none", "auto", "required"),
  Schema.Struct({ type: Schema.Literal("function"), function: Schema.Struct({ name: Schema.String }) })
)
export type ChatToolChoice = typeof ChatToolChoice.Type

/** The format of the response text: plain text, any JSON object, or JSON that matches a schema. */
export const ChatFormat = Schema.Union(
  Schema.Struct({ type: Schema.Literal("text") }),
  Schema.Struct({ type: Schema.Literal("json_object") }),
  Schema.Struct({
    type: Schema.Literal("json_schema"),
    json_schema: Schema.Struct({
      name: Identifier,
      description: optional(Schema.String, "Describes the purpose of the response to the model"),
      schema: JsonObject.annotations({ description: "JSON Schema of the response" }),
      strict: flag("Requires the response to match the schema exactly")
    })
  })
)
export type ChatFormat = typeof ChatFormat.Type
