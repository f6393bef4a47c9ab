import { issueType } from "@trunkline/errors"
import { chunkedArray } from "@trunkline/kernel"
import { schemaFault } from "@trunkline/models"
import { Schema } from "effect"
import { documentedAs, JsonObject, nullable, unsupported } from "../resource/Fields.js"

const notNested = (fields: string) => unsupported(`Send ${fields} beside type; only chat completions nest them`)

/** A usable JSON Schema document. */
const SchemaDocument = JsonObject.pipe(
  Schema.filter((schema) => schemaFault(schema) ?? true, {
    jsonSchema: { type: "object", description: "A JSON Schema document" },
    ...issueType("value_error")
  })
)

/** The name of a tool or of a response schema. */
const Identifier = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/, {
    message: () => "Must be 1 to 64 letters, digits, underscores and dashes"
  })
)

const onlyFunctions = "Only tools of the type function are served"

/** A function that the model may call. Its fields are next to `type`; chat completions nest them. */
export const Tool = Schema.Struct({
  type: Schema.Literal("function").annotations({ message: () => onlyFunctions }),
  function: notNested("name, description, parameters and strict"),
  name: Identifier,
  description: nullable(Schema.String, "Describes the function to the model"),
  parameters: nullable(SchemaDocument, "JSON Schema of the arguments object; no arguments when left out"),
  strict: nullable(Schema.Boolean, "Requires the arguments to match the schema exactly")
}).annotations({ identifier: "ResponseTool" })
export type Tool = typeof Tool.Type

/** The tools of a request. Duplicate names are found later, by `ruleIssues`. */
export const Tools = chunkedArray(Schema.Array(Schema.Unknown), Tool, { jsonSchema: {} }).annotations(
  documentedAs(Schema.Array(Tool))
)

/** Allows, requires or forbids tool calls, or requires a call of one named tool. */
export const ToolChoice = Schema.Union(
  Schema.Literal("none", "auto", "required"),
  Schema.Struct({ type: Schema.Literal("function"), function: notNested("name"), name: Schema.String })
)
export type ToolChoice = typeof ToolChoice.Type

/** The format of the response text: plain text, any JSON object, or JSON that matches a schema. */
export const TextFormat = Schema.Union(
  Schema.Struct({ type: Schema.Literal("text") }),
  Schema.Struct({ type: Schema.Literal("json_object") }),
  Schema.Struct({
    type: Schema.Literal("json_schema"),
    json_schema: notNested("name, schema and strict"),
    name: Identifier,
    description: nullable(Schema.String, "Describes the purpose of the text to the model"),
    schema: SchemaDocument,
    strict: nullable(Schema.Boolean, "Requires the text to match the schema exactly; defaults to false")
  })
)
export type TextFormat = typeof TextFormat.Type
