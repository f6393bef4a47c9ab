import { issueType } from "@trunkline/errors"
import { Predicate, Schema } from "effect"

/** Any JSON object; it stays what it is, whatever its keys are called. */
export const JsonObject = Schema.Object.pipe(
  Schema.filter(Predicate.isReadonlyRecord, {
    message: () => "Must be an object",
    jsonSchema: { type: "object" },
    ...issueType("object_type")
  })
)
export type JsonObject = typeof JsonObject.Type
