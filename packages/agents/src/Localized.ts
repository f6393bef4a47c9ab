import { Schema } from "effect"

/** The English name of a language, such as `Hindi`. */
export const LanguageName = Schema.NonEmptyString

/** A template that is the same in every language, or one template for each language by its English name. */
export const Localized = Schema.Union(
  Schema.String,
  Schema.Record({ key: Schema.String, value: Schema.String })
)
export type Localized = typeof Localized.Type

/** A text and the language that it is in. */
export interface Wording {
  readonly text: string
  readonly language_name: string
}

/** The wording for a language: that of the first of `languages` that has one, else any, else an empty text. */
export const wordingIn = (text: Localized, languages: readonly [string, ...ReadonlyArray<string>]): Wording => {
  if (typeof text === "string") return { text, language_name: languages[0] }
  const names = [...languages, ...Object.keys(text)]
  const language_name = names.find((name) => Object.hasOwn(text, name)) ?? languages[0]
  return { text: text[language_name] ?? "", language_name }
}
