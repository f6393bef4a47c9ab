import type { Variables } from "@trunkline/kernel"
import { Schema } from "effect"

/** An optional key that must not be undefined, so that schema issues only mention the type of its value. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** English name of a language, such as `Hindi`. */
export const LanguageName = Schema.NonEmptyString

/** A template for all languages, or one template per language, by its English name. */
export const Localized = Schema.Union(
  Schema.String,
  Schema.Record({ key: Schema.String, value: Schema.String })
)
export type Localized = typeof Localized.Type

/** A text and its language. */
export interface Wording {
  readonly text: string
  readonly language_name: string
}

/** The wording in the first of `languages` that has one, else in any language, else an empty text. */
export const wordingIn = (text: Localized, languages: readonly [string, ...ReadonlyArray<string>]): Wording => {
  if (typeof text === "string") return { text, language_name: languages[0] }
  const names = [...languages, ...Object.keys(text)]
  const language_name = names.find((name) => Object.hasOwn(text, name)) ?? languages[0]
  return { text: text[language_name] ?? "", language_name }
}

/** Name of a variable, as templates use it: up to 64 letters, digits and `_`, not starting with a digit. */
export const VariableName = Schema.String.pipe(Schema.pattern(/^[\p{L}_][\p{L}\p{M}\p{N}_]{0,63}$/u))

/** A value that the agent finds out during the call. */
export const OutputVariable = Schema.Struct({
  name: VariableName,
  /** Description that fits into a question, such as "the date you can pay". */
  description: optional(Schema.NonEmptyString),
  /** A call only counts as done once all required outputs have a value, which may be null. */
  required: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => false })
})
export type OutputVariable = typeof OutputVariable.Type

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g

/**
 * Replaces `{{name}}` by the values of variables. Missing and null variables leave nothing behind: double spaces and
 * spaces before punctuation are removed, line breaks stay. Values are inserted as they are and not filled again.
 */
export const fillTemplate = (template: string, variables: Variables): string =>
  template
    .replace(placeholder, (_match, name: string) => Object.hasOwn(variables, name) ? String(variables[name] ?? "") : "")
    .replace(/[ \t]+/g, " ")
    .replace(/ (?=[,.!?;:।\n]|$)/g, "")
    .trim()
