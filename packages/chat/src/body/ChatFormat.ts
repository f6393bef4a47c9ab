import { Schema } from "effect"
import { flag, GivenName, JsonObject, optional } from "./Fields.js"

/** The form of the answer's text (specification, Chat completions v1). */
export const ChatFormat = Schema.Union(
  Schema.Struct({ type: Schema.Literal("text") }),
  Schema.Struct({ type: Schema.Literal("json_object") }),
  Schema.Struct({
    type: Schema.Literal("json_schema"),
    json_schema: Schema.Struct({
      name: GivenName,
      description: optional(Schema.String, "What the answer is for, for the model"),
      schema: JsonObject.annotations({ description: "JSON Schema of the answer" }),
      strict: flag("Whether the answer must obey the schema to the letter")
    })
  })
)
export type ChatFormat = typeof ChatFormat.Type
