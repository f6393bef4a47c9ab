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
