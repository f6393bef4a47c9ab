/** A billable unit. */
export type Unit = "character" | "input_token" | "output_token" | "second" | "page" | "request"

/** Quantities per unit: non-negative whole numbers; absent units are 0. */
export type Units = { readonly [U in Unit]?: number }

/** Price per unit in whole micro-credits; absent units are free. */
export type Price = { readonly [U in Unit]?: number }

/** Prices by family, such as `voice_cloning`; absent families are free. */
export type PriceTable = Readonly<Record<string, Price>>

/** Number of micro-credits per credit. */
export const microCreditsPerCredit = 1_000_000

/** Default models: 15 credits per million input tokens, 60 per million output tokens. */
const defaultModels: Price = { input_token: 15, output_token: 60 }

/** Core models: twice the price, since they are several times larger. */
const coreModels: Price = { input_token: 30, output_token: 120 }

/**
 * Default prices, proportional to the work of the model behind each family. An output token costs four times an input
 * token because models generate sequentially but read in parallel; a cloned voice costs twice a built-in one; batch
 * transcription costs half because it can wait.
 */
export const priceTable: PriceTable = {
  voice_cloning: { character: 3_000 },
  chat: defaultModels,
  chat_core: coreModels,
  responses: defaultModels,
  responses_core: coreModels,
  speech_to_text: { second: 10_000 },
  speech_to_text_batch: { second: 5_000 },
  text_to_speech: { character: 1_500 },
  text_to_speech_newest: { character: 3_000 },
  translation: { character: 2_000 },
  document: { page: 500_000 }
}

const units: ReadonlyArray<Unit> = ["character", "input_token", "output_token", "second", "page", "request"]

/** Cost of a family's units in micro-credits. Throws when a count is not a non-negative whole number. */
export const priceOf = (prices: PriceTable, { api, count }: { readonly api: string; readonly count: Units }): number =>
  units.reduce((sum, unit) => {
    const quantity = count[unit] ?? 0
    const total = sum + quantity * (prices[api]?.[unit] ?? 0)
    if (quantity < 0 || !Number.isSafeInteger(quantity) || !Number.isSafeInteger(total)) {
      throw new RangeError("Units and prices must be non-negative whole numbers")
    }
    return total
  }, 0)
