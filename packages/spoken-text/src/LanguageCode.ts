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
