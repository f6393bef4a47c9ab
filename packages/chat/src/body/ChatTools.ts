import { Predicate, Schema } from "effect"
import { flag, GivenName, JsonObject, optional } from "./Fields.js"
import { longList } from "./Lists.js"

const ChatFunction = Schema.Struct({
  name: GivenName,
  description: optional(Schema.String, "What it does, for the model"),
  parameters: optional(JsonObject, "JSON Schema of the arguments, an object; none without it"),
  strict: flag("Whether the arguments must obey the schema to the letter")
})

const ToolShape = Schema.Struct({ type: Schema.Literal("function"), function: ChatFunction })

/** The shape that responses take, with everything beside the type. */
const isFlat = (tool: unknown): boolean =>
  Predicate.isRecord(tool) && tool["function"] === undefined && tool["name"] !== undefined

const nested = Schema.Unknown.pipe(Schema.filter((tool) =>
  isFlat(tool)
    ? { path: ["function"], message: "Put name, description and parameters into an object under this key" }
    : undefined
))

/** A function that the model may ask for (specification, Chat completions v1). SDKs send `strict` too. */
export const ChatTool = Schema.compose(nested, ToolShape, { strict: false })
export type ChatTool = typeof ToolShape.Type

/** The functions that the model may ask for. */
export const ChatTools = longList(
  Schema.Array(Schema.Unknown),
  ChatTool,
  Schema.Array(ToolShape.annotations({ identifier: "ChatTool" }))
)

/** Whether the model may, must or must not ask for functions, or for which one it must (shapes 9.1). */
export const ChatToolChoice = Schema.Union(
  Schema.Literal("none", "auto", "required"),
  Schema.Struct({ type: Schema.Literal("function"), function: Schema.Struct({ name: Schema.String }) })
)
export type ChatToolChoice = typeof ChatToolChoice.Type
