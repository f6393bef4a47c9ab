import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { Effect } from "effect"
import { characterPrices, type FaultCodes, faultOfCode, fieldsIn, type VoiceProvider } from "./VoiceProvider.js"

/** Languages of Sonic 3 and 3.5 (docs.cartesia.ai/build-with-cartesia/tts-models): all of the twelve but Assamese and Odia. */
const languages: ReadonlyArray<LanguageCode> = [
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

/** Languages of Sonic 2 and Sonic Turbo (the page "Older TTS Models"). */
const olderLanguages: ReadonlyArray<LanguageCode> = ["en-IN", "hi-IN"]

/** Codes of `error_code`; docs.cartesia.ai/use-the-api/api-errors names the first, the others are what the status says. */
const codes: FaultCodes = {
  concurrency_limited: "rateLimited",
  voice_not_found: "unknownVoice",
  model_not_found: "unknownModel",
  language_not_supported: "unsupportedLanguage",
  quota_exceeded: "paymentRequired"
}

/** Version of the interface that is spoken: the first one whose errors are JSON. */
const version = "2026-03-01"

const name = "cartesia"

const languagesOf = (model: string) => /^sonic-(2|turbo)/.test(model) ? olderLanguages : languages

/**
 * Cartesia, by https://docs.cartesia.ai/api-reference/tts/bytes: `POST /tts/bytes`, which streams headerless samples as they are
 * made. Its page of errors documents the shape and one code; a 404 without a code is an unknown voice or model, and no page
 * says which. Credits per month have no fixed price in dollars.
 */
export const cartesia: VoiceProvider = {
  name,
  label: "Cartesia",
  baseUrl: "https://api.cartesia.ai",
  keyVariable: "CARTESIA_API_KEY",
  model: "sonic-3.5",
  voice: null,
  isStreaming: true,
  rates: [8_000, 16_000, 22_050, 24_000, 44_100, 48_000],
  languagesOf,
  dialect: (model) => ({
    name,
    cloning: "none",
    languages: languagesOf(model),
    controls: [],
    headers: (apiKey) => ({
      "cartesia-version": version,
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` })
    }),
    faultOf: ({ json, status }) =>
      faultOfCode(codes, fieldsIn(json)["error_code"]) ?? (status === 404 ? "unknownVoice" : null),
    request: ({ language, rate, text, voice }) =>
      Effect.succeed({
        path: "/tts/bytes",
        body: {
          model_id: model,
          transcript: text,
          voice: { mode: "id", id: voice ?? "" },
          language: isoCode(language),
          output_format: { container: "raw", encoding: "pcm_s16le", sample_rate: rate }
        }
      })
  }),
  prices: characterPrices(name, { readOn: "2026-11-29", page: "https://docs.cartesia.ai/pricing" }, { "*": null })
}
