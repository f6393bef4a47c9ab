import { issueType } from "@trunkline/errors"
import { placeholder, templateFault, type Variables } from "@trunkline/kernel"
import { languageNameOf, unknownLanguage } from "@trunkline/spoken-text"
import { ParseResult, Schema } from "effect"

/** An optional key that must not be undefined, so that schema issues only mention the type of its value. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** A text with variables in it, such as `Hello {{name}}`. */
export const Template = Schema.String.pipe(Schema.filter((text) => templateFault(text) ?? true))

/** A record by languages, with their English names in place of codes. */
export const byLanguage = <A, I>(value: Schema.Schema<A, I>) =>
  Schema.transformOrFail(
    Schema.Record({ key: Schema.String, value }),
    Schema.Record({ key: Schema.String, value: Schema.typeSchema(value) }),
    {
      strict: true,
      decode: (record, _, ast) => {
        const entries = Object.entries(record).map(([key, item]) => ({ key, name: languageNameOf(key), item }))
        for (const [index, { key, name }] of entries.entries()) {
          const fault = name === undefined
            ? unknownLanguage
            : entries.findIndex((other) => other.name === name) < index
            ? `${name} is listed twice`
            : undefined
          if (fault !== undefined) {
            return ParseResult.fail(new ParseResult.Pointer(key, record, new ParseResult.Type(ast, record, fault)))
          }
        }
        return ParseResult.succeed(Object.fromEntries(entries.map(({ item, key, name }) => [name ?? key, item])))
      },
      encode: ParseResult.succeed
    }
  ).annotations(issueType("value_error"))

/** A template for all languages, or one template per language, by its English name or its code. */
export const Localized = Schema.Union(Template, byLanguage(Template))
export type Localized = typeof Localized.Type

/** A text and its language. */
export interface LocalizedText {
  readonly text: string
  readonly language_name: string
}

/** The wording in the first of `languages` that has one, else in any language, else an empty text. */
export const wordingIn = (text: Localized, languages: readonly [string, ...ReadonlyArray<string>]): LocalizedText => {
  if (typeof text === "string") return { text, language_name: languages[0] }
  const names = [...languages, ...Object.keys(text)]
  const language_name = names.find((name) => Object.hasOwn(text, name)) ?? languages[0]
  return { text: text[language_name] ?? "", language_name }
}

/** Name of a variable, as templates use it: up to 64 letters, digits and `_`, not starting with a digit. */
export const VariableName = Schema.String.pipe(Schema.pattern(/^[\p{L}_][\p{L}\p{M}\p{N}_]{0,63}$/u, {
  message: () => "Must be a name of letters, digits and _, which does not begin with a digit"
}))

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
