import { Schema } from "effect"
import { optional } from "./Optional.js"

/** A variable's name, as it stands between the braces of a template: letters, digits and `_`, not a digit first. */
export const VariableName = Schema.String.pipe(Schema.pattern(/^[\p{L}_][\p{L}\p{M}\p{N}_]{0,63}$/u))

/** Something that the agent finds out during the call. */
export const OutputVariable = Schema.Struct({
  name: VariableName,
  /** What it is, in words that fit a question: "the date you can pay". */
  description: optional(Schema.NonEmptyString),
  /** A call only counts as done once every required output has a value; null is a value. */
  required: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => false })
})
export type OutputVariable = typeof OutputVariable.Type
