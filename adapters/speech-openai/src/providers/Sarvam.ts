import type { LanguageCode } from "@trunkline/spoken-text"
import { Effect } from "effect"
import { characterPrices, type FaultCodes, faultOfCode, fieldsIn, type VoiceProvider } from "./VoiceProvider.js"

/** Languages of Bulbul (docs.sarvam.ai, "How to Set the Language"), by Sarvam's own codes, which are those of Trunkline. */
const languages: ReadonlyArray<LanguageCode> = [
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
]

/** Codes of `error.code` (docs.sarvam.ai, "Errors & Troubleshooting"): a bad key is 403, and used up credits are 429. */
const codes: FaultCodes = {
  invalid_api_key_error: "unauthorized",
  insufficient_quota_error: "paymentRequired",
  rate_limit_exceeded_error: "rateLimited",
  invalid_request_error: "badRequest",
  unprocessable_entity_error: "badRequest",
  not_found_error: "notFound",
  internal_server_error: "failed"
}

const name = "sarvam"

/**
 * Sarvam's Bulbul, by https://docs.sarvam.ai/api-reference-docs/text-to-speech/convert-stream: `POST /text-to-speech/stream` with
 * the key in `api-subscription-key`; the language is `language_code`, as in its client 1.1.10 and in its guides of July 2026
 * (older pages have `target_language_code`). A speaker that does not exist is 400 like any other bad field, and no page says
 * how to tell. Prices are in rupees.
 */
export const sarvam: VoiceProvider = {
  name,
  label: "Sarvam",
  baseUrl: "https://api.sarvam.ai",
  keyVariable: "SARVAM_API_KEY",
  model: "bulbul:v3",
  voice: "shubh",
  isStreaming: true,
  rates: [8_000, 16_000, 22_050, 24_000],
  languagesOf: () => languages,
  dialect: (model) => ({
    name,
    cloning: "none",
    languages,
    // Bulbul v3 takes 0.5 to 2, v2 0.3 to 3.
    controls: ["pace"],
    headers: (apiKey) => apiKey === null ? {} : { "api-subscription-key": apiKey },
    faultOf: ({ json, status }) => status === 413 ? "tooLarge" : faultOfCode(codes, fieldsIn(json, "error")["code"]),
    request: ({ language, pace, rate, text, voice }) =>
      Effect.succeed({
        path: "/text-to-speech/stream",
        ignoresAudioType: true,
        body: {
          text,
          model,
          language_code: language,
          ...(voice !== null && { speaker: voice }),
          ...(pace !== 1 && { pace }),
          speech_sample_rate: rate,
          output_audio_codec: "linear16"
        }
      })
  }),
  prices: characterPrices(name, {
    readOn: "2026-11-29",
    page: "https://docs.sarvam.ai/api/getting-started/pricing"
  }, { "*": null })
}
