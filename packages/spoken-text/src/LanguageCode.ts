import { Schema } from "effect"

/** Schema of the twelve languages that voices speak, as BCP 47 tags except for Odia, which is `od-IN`. */
export const LanguageCode = Schema.Literal(
  "as-IN",
  "bn-IN",
  "en-IN",
  "gu-IN",
  "hi-IN",
  "kn-IN",
  "ml-IN",
  "mr-IN",
  "od-IN",
  "pa-IN",
  "ta-IN",
  "te-IN"
)
export type LanguageCode = typeof LanguageCode.Type

/** ISO 639-1 code of a language, such as `hi`; Odia is `or`. */
export const isoCode = (language: LanguageCode): string => language === "od-IN" ? "or" : language.slice(0, 2)

const codes: Readonly<Record<string, LanguageCode>> = {
  Assamese: "as-IN",
  Bengali: "bn-IN",
  English: "en-IN",
  Gujarati: "gu-IN",
  Hindi: "hi-IN",
  Kannada: "kn-IN",
  Malayalam: "ml-IN",
  Marathi: "mr-IN",
  Odia: "od-IN",
  Punjabi: "pa-IN",
  Tamil: "ta-IN",
  Telugu: "te-IN"
}

/** The code of a language by its English name, such as `Hindi`; null for a language that no voice speaks. */
export const languageCodeOf = (language_name: string): LanguageCode | null =>
  Object.hasOwn(codes, language_name) ? codes[language_name] ?? null : null
