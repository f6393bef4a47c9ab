import type { ProviderPriceTable } from "@trunkline/kernel"
import type { LanguageCode } from "@trunkline/spoken-text"
import { openAi } from "../SpeechDialects.js"
import { type FaultCodes, faultOfCode, fieldsIn, type VoiceProvider } from "./VoiceProvider.js"

/** Languages that OpenAI lists for its voices (developers.openai.com/api/docs/guides/text-to-speech), of the twelve. */
export const openAiLanguages: ReadonlyArray<LanguageCode> = ["en-IN", "hi-IN", "kn-IN", "mr-IN", "ta-IN"]

/** Codes of `error.code` (developers.openai.com/api/docs/guides/error-codes): a used up account is 429. */
const codes: FaultCodes = {
  invalid_api_key: "unauthorized",
  insufficient_quota: "paymentRequired",
  billing_hard_limit_reached: "paymentRequired",
  model_not_found: "unknownModel",
  rate_limit_exceeded: "rateLimited",
  string_above_max_length: "tooLarge"
}

/** Prices by a million tokens, from a model's own page. */
const tokenPrices = (provider: string, model: string, input: number, output: number): ProviderPriceTable =>
  ([["input_token", input], ["output_token", output]] as const).map(([unit, usd]) => ({
    service: "voice",
    provider,
    model,
    unit,
    amount: usd,
    currency: "USD",
    per: 1_000_000,
    readOn: "2026-11-29",
    page: `https://developers.openai.com/api/docs/models/${model}`
  }))

/**
 * OpenAI, by https://developers.openai.com/api/docs/guides/text-to-speech: `POST /v1/audio/speech`, which streams headerless
 * samples at 24 kHz. The language is that of the text. A voice that does not exist is an invalid `voice` with 400.
 */
export const openAiVoices: VoiceProvider = {
  name: "openai",
  label: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  keyVariable: "OPENAI_API_KEY",
  model: "gpt-4o-mini-tts",
  voice: "coral",
  isStreaming: true,
  rates: null,
  languagesOf: () => openAiLanguages,
  dialect: () => ({
    ...openAi({ languages: openAiLanguages }),
    controls: [],
    faultOf: ({ json }) => {
      const error = fieldsIn(json, "error")
      return faultOfCode(codes, error["code"]) ?? (error["param"] === "voice" ? "unknownVoice" : null)
    }
  }),
  prices: tokenPrices("openai", "gpt-4o-mini-tts", 0.6, 12)
}

/** A server on this machine that speaks OpenAI's protocol and charges nothing. */
const localVoice = (
  own: Pick<VoiceProvider, "baseUrl" | "label" | "model" | "name" | "voice"> & {
    readonly languages: ReadonlyArray<LanguageCode>
  }
): VoiceProvider => ({
  ...own,
  keyVariable: null,
  isStreaming: true,
  rates: null,
  languagesOf: () => own.languages,
  dialect: () => ({ ...openAi({ languages: own.languages }), name: own.name }),
  prices: [{
    service: "voice",
    provider: own.name,
    model: "*",
    unit: "character",
    amount: 0,
    currency: "USD",
    per: 1_000,
    readOn: null,
    page: null
  }]
})

/**
 * Kokoro behind Kokoro-FastAPI, by https://github.com/remsky/Kokoro-FastAPI: OpenAI's path on port 8880, samples at 24 kHz. Of the
 * twelve languages it speaks English and Hindi, and the voice decides which: `af_heart` is English, `hf_alpha` Hindi.
 */
export const kokoro: VoiceProvider = localVoice({
  name: "kokoro",
  label: "Kokoro",
  baseUrl: "http://127.0.0.1:8880/v1",
  model: "kokoro",
  voice: "af_heart",
  languages: ["en-IN", "hi-IN"]
})

/**
 * Piper behind speaches (https://speaches.ai), on port 8000 under OpenAI's path. Each of its models is one voice of one
 * language, so `languages` of the options names that; English unless said.
 */
export const piper: VoiceProvider = localVoice({
  name: "piper",
  label: "Piper",
  baseUrl: "http://127.0.0.1:8000/v1",
  model: "speaches-ai/piper-en_US-amy-medium",
  voice: "amy",
  languages: ["en-IN"]
})
