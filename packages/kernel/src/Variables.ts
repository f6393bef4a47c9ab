import { Schema } from "effect"

/** A value of an agent variable (shapes 5.1). */
export const VariableValue = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)
export type VariableValue = typeof VariableValue.Type

/** Agent variables by name. */
export const Variables = Schema.Record({ key: Schema.String, value: VariableValue })
export type Variables = typeof Variables.Type
