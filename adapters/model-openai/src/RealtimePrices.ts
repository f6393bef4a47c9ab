import type { ProviderPrice, ProviderPriceTable } from "@trunkline/kernel"

/** Dollars for a million tokens: of text, of text and sound from the cache, and of sound. */
interface TokenPrices {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly audioInput: number
  readonly audioOutput: number
}

const readOn = "2026-11-30"

const priceOf = (
  service: "model" | "transcriber",
  model: string,
  { amount, page, per = 1_000_000, unit }: {
    readonly unit: ProviderPrice["unit"]
    readonly amount: number
    readonly per?: number
    readonly page: string
  }
): ProviderPrice => ({
  service,
  provider: "openai",
  model,
  unit,
  amount,
  currency: "USD",
  per,
  readOn,
  page
})

const modelPrices = (model: string, prices: TokenPrices): ProviderPriceTable => {
  const page = `https://developers.openai.com/api/docs/models/${model}`
  const { audioInput, audioOutput, cached, input, output } = prices
  return [
    priceOf("model", model, { unit: "input_token", amount: input, page }),
    priceOf("model", model, { unit: "cached_input_token", amount: cached, page }),
    priceOf("model", model, { unit: "output_token", amount: output, page }),
    priceOf("model", model, { unit: "audio_input_token", amount: audioInput, page }),
    priceOf("model", model, { unit: "audio_output_token", amount: audioOutput, page })
  ]
}

const livePage = "https://apidog.com/blog/gpt-live-1-1-api"

const livePrice = (model: string): ProviderPrice =>
  priceOf("model", model, { unit: "minute", amount: 0.05, per: 1, page: livePage })

const transcriptPage = "https://vercel.com/ai-gateway/models/gpt-4o-mini-transcribe"

/**
 * Public prices of OpenAI's realtime models, and of the one that writes down what callers say. Of the small model, input from the
 * cache counts at the price of cached sound, which is higher than that of cached text. Of GPT-Live, minutes on standby count at the price
 * of active ones.
 */
export const realtimePrices: ProviderPriceTable = [
  ...modelPrices("gpt-realtime-2.1", { input: 4, cached: 0.4, output: 24, audioInput: 32, audioOutput: 64 }),
  ...modelPrices("gpt-realtime-2.1-mini", { input: 0.6, cached: 0.3, output: 2.4, audioInput: 10, audioOutput: 20 }),
  livePrice("gpt-live-1"),
  livePrice("gpt-live-1.1"),
  priceOf("transcriber", "gpt-4o-mini-transcribe", { unit: "input_token", amount: 1.25, page: transcriptPage }),
  priceOf("transcriber", "gpt-4o-mini-transcribe", { unit: "audio_input_token", amount: 1.25, page: transcriptPage }),
  priceOf("transcriber", "gpt-4o-mini-transcribe", { unit: "output_token", amount: 5, page: transcriptPage })
]
