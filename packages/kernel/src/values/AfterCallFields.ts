import { Schema } from "effect"
import { Variables } from "./CommonSchemas.js"

/** Type of an output variable. A date is a text such as `2026-11-30`, and `enum` one of its values. */
export const OutputType = Schema.Literal("string", "number", "integer", "boolean", "date", "enum")
export type OutputType = typeof OutputType.Type

/** State of the work on a call after its end. Only `pending` is followed by another one. */
export const ExtractionStatus = Schema.Literal("pending", "done", "failed", "skipped")
export type ExtractionStatus = typeof ExtractionStatus.Type

/** Account of the work on a call after its end. */
export const Extraction = Schema.Struct({
  /** `skipped`: there was nothing to ask a model about, as without words of the caller. */
  status: ExtractionStatus,
  /** Why it failed or was skipped; null otherwise. */
  reason: Schema.NullOr(Schema.String),
  /** The model that was asked last; null when none was. */
  model: Schema.NullOr(Schema.String),
  /** Requests to the model. */
  tries: Schema.NonNegativeInt,
  /** Seconds of real time from the end of the call to the result; null while it is pending, and where it was skipped at once. */
  duration_seconds: Schema.NullOr(Schema.NonNegative),
  /** Tokens of all tries that the model reported; null where it reported none. */
  usage: Schema.NullOr(
    Schema.Struct({ input_tokens: Schema.NonNegativeInt, output_tokens: Schema.NonNegativeInt })
  ),
  /** The declared output variables in order: their types, and what has set each: the call, the model, or nothing. */
  variables: Schema.Array(Schema.Struct({
    name: Schema.String,
    type: OutputType,
    source: Schema.NullOr(Schema.Literal("call", "model"))
  }))
})
export type Extraction = typeof Extraction.Type

/** Findings about a call after its end. They never change the outcome of the call. */
export const afterCallFields = {
  /** Summary of the conversation; null without one, and until it is written. */
  summary: Schema.NullOr(Schema.String),
  /** Values of the declared output variables in their types, null for unknown ones; null of agents without `after_call`. */
  output_variables: Schema.NullOr(Variables),
  /** Null of agents without `after_call`. */
  extraction: Schema.NullOr(Extraction)
}

/** The same as one value. */
export const AfterCallResult = Schema.Struct(afterCallFields)
export type AfterCallResult = typeof AfterCallResult.Type
