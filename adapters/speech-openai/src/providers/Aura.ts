import { Effect } from "effect"
import { characterPrices, type FaultCodes, faultOfCode, fieldsIn, type VoiceProvider } from "./VoiceProvider.js"

/** Codes of `err_code` and `category` (developers.deepgram.com/docs/errors). */
const codes: FaultCodes = {
  INVALID_AUTH: "unauthorized",
  INSUFFICIENT_PERMISSIONS: "forbidden",
  ASR_PAYMENT_REQUIRED: "paymentRequired",
  TOO_MANY_REQUESTS: "rateLimited"
}

const name = "deepgram"

/**
 * Deepgram's Aura, by https://developers.deepgram.com/reference/text-to-speech/speak-request: `POST /v1/speak`, whose model is
 * the voice, such as `aura-2-thalia-en`. It speaks English, and six languages that are none of the twelve
 * (https://developers.deepgram.com/docs/tts-models). An unknown voice is refused with 400 or 404; no page names a code for it.
 */
export const aura: VoiceProvider = {
  name,
  label: "Deepgram",
  baseUrl: "https://api.deepgram.com/v1",
  keyVariable: "DEEPGRAM_API_KEY",
  model: null,
  voice: "aura-2-thalia-en",
  isStreaming: true,
  rates: [8_000, 16_000, 24_000, 32_000, 48_000],
  languagesOf: () => ["en-IN"],
  dialect: () => ({
    name,
    cloning: "none",
    languages: ["en-IN"],
    controls: [],
    headers: (apiKey) => apiKey === null ? {} : { authorization: `Token ${apiKey}` },
    faultOf: ({ json, status }) => {
      const fields = fieldsIn(json)
      const fault = faultOfCode(codes, fields["err_code"]) ?? faultOfCode(codes, fields["category"])
      return fault ?? (status === 404 ? "unknownVoice" : null)
    },
    request: ({ rate, text, voice }) => {
      const query = new URLSearchParams({
        model: voice ?? "",
        encoding: "linear16",
        sample_rate: String(rate),
        container: "none"
      })
      return Effect.succeed({ path: `/speak?${query.toString()}`, ignoresAudioType: true, body: { text } })
    }
  }),
  prices: characterPrices(name, {
    readOn: "2026-11-29",
    page: "https://developers.cloudflare.com/ai/models/@cf/deepgram/aura-2-en/"
  }, { "*": 0.03 })
}
