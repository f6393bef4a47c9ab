import { issueType } from "@trunkline/errors"
import { Schema } from "effect"

/**
 * Name of a deployment, campaign or cohort: 1 to 50 letters, digits, `_`, `-` and spaces of any script. Vowel signs
 * count as letters. Surrounding white space is trimmed first.
 */
export const ResourceName = Schema.Trim.pipe(
  Schema.pattern(/^[\p{L}\p{M}\p{N}_\- ]{1,50}$/u, {
    identifier: "ResourceName",
    message: () => "Must be 1 to 50 letters, digits, underscores, hyphens or spaces"
  })
)
export type ResourceName = typeof ResourceName.Type

const maxDescriptionLength = 150

/** Description of a resource in the user's words: at most 150 Unicode code points, or null. */
export const Description = Schema.NullOr(Schema.String.pipe(
  Schema.filter((text) => text.length <= maxDescriptionLength || Array.from(text).length <= maxDescriptionLength, {
    identifier: "Description",
    message: () => `Must have at most ${maxDescriptionLength} characters`,
    jsonSchema: { maxLength: maxDescriptionLength },
    ...issueType("string_too_long")
  })
))
export type Description = typeof Description.Type

/** Value of an agent variable: a JSON scalar. */
export const VariableValue = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)
export type VariableValue = typeof VariableValue.Type

/** Agent variables by name. */
export const Variables = Schema.Record({ key: Schema.String, value: VariableValue })
export type Variables = typeof Variables.Type

/** Degree to which an attempt reached its goal. */
export const CompletionStatus = Schema.Literal("completed", "partial", "failed")
export type CompletionStatus = typeof CompletionStatus.Type

/** Result of dialling. Null, where it is allowed, means that an internal fault hid it. */
export const ConnectivityStatus = Schema.Literal("connected", "busy", "no_answer", "failed")
export type ConnectivityStatus = typeof ConnectivityStatus.Type

/** Next step for the contact after an attempt. Null, where it is allowed, means that there is none. */
export const NextActionStatus = Schema.Literal(
  "retry",
  "reschedule",
  "business_retry",
  "short_duration_retry",
  "provider_error_retry",
  "internal_error_retry"
)
export type NextActionStatus = typeof NextActionStatus.Type

/**
 * Option of `new X(fields, trusted)` that skips the validation of a `Schema.Class`. Only for fields that were validated
 * before, such as a record that is read, changed and written back many times a second.
 */
export const unchecked = { disableValidation: true } as const

/**
 * Makes fields that were validated before an instance of a `Schema.Class`: the object itself, which must be new. For
 * records of every call, because `new X(fields, unchecked)` copies the fields three times. The class must have no fields
 * with defaults.
 *
 * @example
 * ```ts
 * const ended = uncheckedInstance(Attempt, { ...attempt, state: "ended", result })
 * ```
 */
export const uncheckedInstance = <A extends object>(schema: { readonly prototype: A }, fields: A): A => {
  Object.setPrototypeOf(fields, schema.prototype)
  return fields
}
