import type { ProviderPrice, ProviderPriceTable } from "@trunkline/kernel"
import { LanguageCode } from "@trunkline/spoken-text"
import { deepgram, deepgramLanguages } from "../dialects/Deepgram.js"
import { flux } from "../dialects/Flux.js"
import { openAiRealtime } from "../dialects/OpenAiRealtime.js"
import { sarvamRealtime } from "../dialects/SarvamRealtime.js"
import { scribe } from "../dialects/Scribe.js"
import { vosk } from "../dialects/Vosk.js"
import type { ListenDialect } from "../ListenDialect.js"

/** A provider of live transcription by its name: where it is, how it is spoken to, what it hears and what it charges. */
export interface StreamingProvider {
  /** Name in options, such as `deepgram`. */
  readonly name: string
  /** Name for people, such as `Deepgram`. */
  readonly label: string
  /** URL of its service for a model; that of the usual port on this machine for local servers. */
  readonly urlOf: (model: string) => string
  /** Environment variable that usually holds its key; null for local servers, which need none. */
  readonly keyVariable: string | null
  /** Model where none is chosen; null when the server has one. */
  readonly model: string | null
  /** Sample rates that it takes, in hertz; null for any. */
  readonly rates: ReadonlyArray<number> | null
  readonly languagesOf: (model: string) => ReadonlyArray<LanguageCode>
  readonly dialect: (model: string) => ListenDialect
  /** Prices of its models, by its public list. */
  readonly prices: ProviderPriceTable
}

/** Makes entries for prices by the minute. */
const minutePrices = (
  provider: string,
  read: Pick<ProviderPrice, "page" | "readOn">,
  usdByModel: Readonly<Record<string, number | null>>
): ProviderPriceTable =>
  Object.entries(usdByModel).map(([model, usd]) => ({
    service: "transcriber",
    provider,
    model,
    unit: "minute",
    amount: usd,
    currency: "USD",
    per: 1,
    ...read
  }))

/** Day on which the pages of prices were read. */
const readOn = "2026-11-29"

const isFlux = (model: string): boolean => model.startsWith("flux-")

const deepgramProvider: StreamingProvider = {
  name: "deepgram",
  label: "Deepgram",
  urlOf: (model) => `wss://api.deepgram.com/${isFlux(model) ? "v2" : "v1"}/listen`,
  keyVariable: "DEEPGRAM_API_KEY",
  model: "nova-3",
  rates: null,
  languagesOf: deepgramLanguages,
  dialect: (model) => isFlux(model) ? flux({ model }) : { ...deepgram({ model }), languages: deepgramLanguages(model) },
  // Pay as you go. The page quotes deepgram.com/pricing of August 2026; that of Flux, November 2026.
  prices: [
    ...minutePrices("deepgram", {
      readOn,
      page: "https://raw.githubusercontent.com/D3velop-llc/open-gauntlet-leaderboard/main/data/asr.json"
    }, { "nova-3": 0.0048 }),
    ...minutePrices("deepgram", {
      readOn,
      page: "https://docs.flexprice.io/cookbooks/pricing-teardowns/deepgram-pricing"
    }, {
      "flux-general-multi": 0.0078
    }),
    ...minutePrices("deepgram", { readOn, page: "https://www.llmreference.com/provider/deepgram/flux-asr" }, {
      "flux-general-en": 0.0065
    })
  ]
}

const sarvamProvider: StreamingProvider = {
  name: "sarvam",
  label: "Sarvam",
  urlOf: () => "wss://api.sarvam.ai/speech-to-text-realtime/ws",
  keyVariable: "SARVAM_API_KEY",
  model: "saaras:v3-realtime",
  rates: null,
  languagesOf: () => LanguageCode.literals,
  dialect: (model) => sarvamRealtime({ model }),
  // Its list is in rupees.
  prices: minutePrices("sarvam", { readOn, page: "https://docs.sarvam.ai/api/getting-started/pricing" }, { "*": null })
}

const elevenLabsProvider: StreamingProvider = {
  name: "elevenlabs",
  label: "ElevenLabs",
  urlOf: () => "wss://api.elevenlabs.io/v1/speech-to-text/realtime",
  keyVariable: "ELEVENLABS_API_KEY",
  model: "scribe_v2_realtime",
  rates: [8_000, 16_000, 22_050, 24_000, 44_100, 48_000],
  languagesOf: () => LanguageCode.literals,
  dialect: (model) => scribe({ model }),
  // USD 0.39 an hour.
  prices: minutePrices("elevenlabs", { readOn, page: "https://vercel.com/ai-gateway/models/scribe-v2-realtime" }, {
    scribe_v2_realtime: 0.0065
  })
}

const openAiProvider: StreamingProvider = {
  name: "openai",
  label: "OpenAI",
  urlOf: () => "wss://api.openai.com/v1/realtime",
  keyVariable: "OPENAI_API_KEY",
  model: "gpt-live-transcribe",
  rates: [24_000],
  languagesOf: (model) => openAiRealtime({ model }).languages ?? [],
  dialect: (model) => openAiRealtime({ model }),
  prices: [
    ...minutePrices("openai", { readOn, page: "https://developers.openai.com/api/docs/models/gpt-live-transcribe" }, {
      "gpt-live-transcribe": 0.017
    }),
    ...minutePrices("openai", { readOn, page: "https://developers.openai.com/api/docs/models/gpt-transcribe" }, {
      "gpt-transcribe": 0.0045
    })
  ]
}

const voskProvider: StreamingProvider = {
  name: "vosk",
  label: "Vosk",
  urlOf: () => "ws://127.0.0.1:2700",
  keyVariable: null,
  model: null,
  rates: null,
  // The server has one model, and does not tell its language.
  languagesOf: () => LanguageCode.literals,
  dialect: () => vosk(),
  prices: minutePrices("vosk", { readOn: null, page: null }, { "*": 0 })
}

/** Names of the providers of live transcription. */
export const streamingProviderNames = ["deepgram", "sarvam", "elevenlabs", "openai", "vosk"] as const
export type StreamingProviderName = typeof streamingProviderNames[number]

/** The providers of live transcription by name. */
export const streamingProviders: Readonly<Record<StreamingProviderName, StreamingProvider>> = {
  deepgram: deepgramProvider,
  sarvam: sarvamProvider,
  elevenlabs: elevenLabsProvider,
  openai: openAiProvider,
  vosk: voskProvider
}

/** Public prices of all transcribers here. */
export const transcriberPrices: ProviderPriceTable = Object.values(streamingProviders).flatMap(({ prices }) => prices)
