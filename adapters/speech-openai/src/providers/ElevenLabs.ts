import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { Effect } from "effect"
import { characterPrices, type FaultCodes, faultOfCode, fieldsIn, type VoiceProvider } from "./VoiceProvider.js"

/** Languages of `eleven_v3` (help.elevenlabs.io, "What models do you offer"): all of the twelve but Odia. */
const manyLanguages: ReadonlyArray<LanguageCode> = [
  "as-IN",
  "bn-IN",
  "en-IN",
  "gu-IN",
  "hi-IN",
  "kn-IN",
  "ml-IN",
  "mr-IN",
  "pa-IN",
  "ta-IN",
  "te-IN"
]

/** Languages of the other models (elevenlabs.io/docs/overview/models). */
const languagesByModel: Readonly<Record<string, ReadonlyArray<LanguageCode>>> = {
  eleven_v3: manyLanguages,
  eleven_flash_v2: ["en-IN"],
  eleven_turbo_v2: ["en-IN"]
}

/** Models that take `language_code`; the others detect the language from the text. */
const takesLanguage: ReadonlySet<string> = new Set(["eleven_flash_v2_5", "eleven_turbo_v2_5", "eleven_v3"])

/**
 * Codes of `detail.status` (help.elevenlabs.io, "API - Error Code 400 or 401"): a used up quota comes with status 401, and an
 * unknown voice with 400 or 404. `system_busy` and `too_many_concurrent_requests` come with 429.
 */
const codes: FaultCodes = {
  invalid_api_key: "unauthorized",
  needs_authorization: "unauthorized",
  missing_permissions: "forbidden",
  only_for_creator: "forbidden",
  subscription_required: "forbidden",
  quota_exceeded: "paymentRequired",
  payment_required: "paymentRequired",
  voice_not_found: "unknownVoice",
  invalid_voice_id: "unknownVoice",
  model_not_found: "unknownModel",
  invalid_model_id: "unknownModel",
  unsupported_language: "unsupportedLanguage",
  language_not_supported: "unsupportedLanguage",
  max_character_limit_exceeded: "tooLarge",
  too_many_concurrent_requests: "rateLimited",
  concurrent_limit_exceeded: "rateLimited",
  system_busy: "overloaded"
}

const name = "elevenlabs"

/**
 * ElevenLabs, by https://elevenlabs.io/docs/api-reference/text-to-speech/stream: `POST /v1/text-to-speech/{voice}/stream` with
 * the key in `xi-api-key`, and the format in the query, such as `pcm_24000`. Codes of `detail.status` other than the four of
 * its help page are taken from what its clients report. No page says which content type headerless samples have, so it is not
 * looked at.
 */
export const elevenLabs: VoiceProvider = {
  name,
  label: "ElevenLabs",
  baseUrl: "https://api.elevenlabs.io/v1",
  keyVariable: "ELEVENLABS_API_KEY",
  model: "eleven_flash_v2_5",
  voice: null,
  isStreaming: true,
  rates: [8_000, 16_000, 22_050, 24_000, 44_100, 48_000],
  languagesOf: (model) => languagesByModel[model] ?? ["en-IN", "hi-IN", "ta-IN"],
  dialect: (model) => ({
    name,
    cloning: "none",
    languages: languagesByModel[model] ?? ["en-IN", "hi-IN", "ta-IN"],
    controls: [],
    headers: (apiKey) => apiKey === null ? {} : { "xi-api-key": apiKey },
    faultOf: ({ json }) => {
      const detail = fieldsIn(json, "detail")
      return faultOfCode(codes, detail["status"]) ?? faultOfCode(codes, detail["code"])
    },
    request: ({ language, rate, text, voice }) =>
      Effect.succeed({
        path: `/text-to-speech/${encodeURIComponent(voice ?? "")}/stream?output_format=pcm_${rate}`,
        ignoresAudioType: true,
        body: { text, model_id: model, ...(takesLanguage.has(model) && { language_code: isoCode(language) }) }
      })
  }),
  prices: characterPrices(name, {
    readOn: "2026-11-29",
    page: "https://developer.puter.com/tutorials/elevenlabs-api-pricing/"
  }, {
    eleven_flash_v2_5: 0.05,
    eleven_flash_v2: 0.05,
    eleven_turbo_v2_5: 0.05,
    eleven_turbo_v2: 0.05,
    eleven_multilingual_v2: 0.1,
    eleven_v3: 0.1
  })
}
