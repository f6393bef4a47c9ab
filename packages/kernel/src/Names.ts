import { issueType } from "@trunkline/errors"
import { Schema } from "effect"

/**
 * The name of a deployment, campaign or cohort: 1 to 50 letters, digits, `_`, `-` and spaces of any script,
 * without space around it (shapes 0.2). Vowel signs count as letters. Space around it is taken off first.
 */
export const ResourceName = Schema.Trim.pipe(
  Schema.pattern(/^[\p{L}\p{M}\p{N}_\- ]{1,50}$/u, {
    identifier: "ResourceName",
    message: () => "Must be 1 to 50 letters, digits, underscores, hyphens or spaces"
  })
)
export type ResourceName = typeof ResourceName.Type

const descriptionLimit = 150

/** What a resource is for, in the user's words: at most 150 characters, or null (shapes 0.2). */
export const Description = Schema.NullOr(Schema.String.pipe(
  Schema.filter((text) => text.length <= descriptionLimit || Array.from(text).length <= descriptionLimit, {
    identifier: "Description",
    message: () => `Must have at most ${descriptionLimit} characters`,
    jsonSchema: { maxLength: descriptionLimit },
    ...issueType("string_too_long")
  })
))
export type Description = typeof Description.Type
