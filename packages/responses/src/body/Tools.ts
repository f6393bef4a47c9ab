import { issueType } from "@trunkline/errors"
import { inPieces } from "@trunkline/kernel"
import { schemaFault } from "@trunkline/models"
import { Schema } from "effect"
import { likewise, nullable, refused } from "./Fields.js"
import { JsonObject } from "./JsonObject.js"

const flat = (fields: string) => refused(`Send ${fields} beside type; only chat completions nest them`)

/** A JSON Schema document that can be used. */
export const SchemaDocument = JsonObject.pipe(
  Schema.filter((schema) => schemaFault(schema) ?? true, {
    jsonSchema: { type: "object", description: "A JSON Schema document" },
    ...issueType("value_error")
  })
)

/** What tools and formats are called. */
export const CallableName = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/, {
    message: () => "Must be 1 to 64 letters, digits, underscores and dashes"
  })
)

const onlyFunctions = "Only tools of the type function are served"

/** A tool that the model may ask for, in the flat shape (specification, Responses: tools). */
export const Tool = Schema.Struct({
  type: Schema.Literal("function").annotations({ message: () => onlyFunctions }),
  function: flat("name, description, parameters and strict"),
  name: CallableName,
  description: nullable(Schema.String, "What it does, for the model"),
  parameters: nullable(SchemaDocument, "JSON Schema of its arguments, an object; without it there are none"),
  strict: nullable(Schema.Boolean, "Arguments must obey the schema to the letter")
}).annotations({ identifier: "ResponseTool" })
export type Tool = typeof Tool.Type

/** The tools of a request. Their names are compared once all of them are read. */
export const Tools = inPieces(Schema.Array(Schema.Unknown), Tool, { jsonSchema: {} }).annotations(
  likewise(Schema.Array(Tool))
)

/** Whether the model may, must or must not ask for tools. */
export const ToolChoice = Schema.Union(
  Schema.Literal("none", "auto", "required"),
  Schema.Struct({ type: Schema.Literal("function"), function: flat("name"), name: Schema.String })
)
export type ToolChoice = typeof ToolChoice.Type

/** The form of the text, in the flat shape (specification, Responses: text). */
export const TextFormat = Schema.Union(
  Schema.Struct({ type: Schema.Literal("text") }),
  Schema.Struct({ type: Schema.Literal("json_object") }),
  Schema.Struct({
    type: Schema.Literal("json_schema"),
    json_schema: flat("name, schema and strict"),
    name: CallableName,
    description: nullable(Schema.String, "What the text is for, for the model"),
    schema: SchemaDocument,
    strict: nullable(Schema.Boolean, "The text must obey the schema to the letter; false unless told")
  })
)
export type TextFormat = typeof TextFormat.Type
