import type { ProviderPrice, ProviderPriceTable } from "@trunkline/kernel"
import { realtimePrices } from "./RealtimePrices.js"

/** Name of OpenAI as prices and ledgers have it. */
const openAi = "openai"

/** Name of the provider behind a URL, as prices and ledgers have it: `openai`, or the host of another server. */
export const modelProviderOf = (baseUrl: string): string => {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : ""
  return host === "api.openai.com" ? openAi : host
}

/** Dollars for a million tokens: of input, of input from the cache, and of output. */
type TokenPrices = readonly [input: number, cached: number, output: number]

/** Public prices of OpenAI's text models, read on 2026-11-30 from pages that quote OpenAI's own. */
const usdByModel: Readonly<Record<string, TokenPrices>> = {
  "gpt-4.1": [2, 0.5, 8],
  "gpt-4.1-mini": [0.4, 0.1, 1.6],
  "gpt-4.1-nano": [0.1, 0.025, 0.4],
  "gpt-4o": [2.5, 1.25, 10],
  "gpt-4o-mini": [0.15, 0.075, 0.6]
}

const priceOf = (model: string, unit: ProviderPrice["unit"], amount: number): ProviderPrice => ({
  service: "model",
  provider: openAi,
  model,
  unit,
  amount,
  currency: "USD",
  per: 1_000_000,
  readOn: "2026-11-30",
  page: "https://developers.openai.com/api/docs/pricing"
})

/** Public prices of language models, and of realtime models with what writes down their callers' words. */
export const modelPrices: ProviderPriceTable = [
  ...Object.entries(usdByModel).flatMap(([model, [input, cached, output]]) => [
    priceOf(model, "input_token", input),
    priceOf(model, "cached_input_token", cached),
    priceOf(model, "output_token", output)
  ]),
  ...realtimePrices
]
