import { Schema } from "effect"

/** The languages that voices speak (specification, Voice-cloned speech). Odia is `od-IN` here, elsewhere `or`. */
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

/** What a language is called by ISO 639-1, such as `hi`; Odia is `or`. */
export const isoName = (language: LanguageCode): string => language === "od-IN" ? "or" : language.slice(0, 2)
