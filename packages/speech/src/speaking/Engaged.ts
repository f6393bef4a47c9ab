import { type BadRequest, ModelUnavailable } from "@trunkline/errors"
import type { LanguageCode } from "@trunkline/spoken-text"
import { Effect } from "effect"
import { refuse } from "../forms/Rules.js"
import type { SpeechAbility } from "../ports/Synthesizer.js"
import type { SpeechOptions } from "./SpeechOptions.js"

/** Whether an engine may speak for a voice at all (decisions 14), and in this language. */
export const engaged = (
  { cloning, languages }: SpeechAbility,
  { allowPitchRateMatch = false }: SpeechOptions,
  language: LanguageCode
): Effect.Effect<void, ModelUnavailable | BadRequest> => {
  if (cloning !== "zero-shot" && !(cloning === "pitch-rate-match" && allowPitchRateMatch)) {
    return new ModelUnavailable({ message: "No speech engine that clones voices is set up", lasting: true })
  }
  return languages.includes(language)
    ? Effect.void
    : refuse("language_code", `The speech engine does not speak ${language}`)
}
