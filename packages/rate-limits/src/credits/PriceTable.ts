/** What is counted and paid for. */
export type Unit = "character" | "input_token" | "output_token" | "second" | "page" | "request"

/** How much of each unit something used, or may use at the most. Whole numbers from 0; an absent unit is 0. */
export type Units = { readonly [U in Unit]?: number }

/** What one unit costs, in whole micro-credits; an absent unit is free. */
export type Price = { readonly [U in Unit]?: number }

/** The price of every family that is paid for, such as `voice_cloning`; a family that is not in it is free. */
export type PriceTable = Readonly<Record<string, Price>>

/** How many micro-credits a credit is. */
export const microCreditsPerCredit = 1_000_000

/** Models of the default class: 15 credits for a million tokens read, 60 for a million written. */
const defaultModels: Price = { input_token: 15, output_token: 60 }

/** The core models are several times larger than the default ones: twice the price. */
const coreModels: Price = { input_token: 30, output_token: 120 }

/**
 * What things cost unless you say otherwise. That voices are paid for per character is the specification's (Credits);
 * the other units are what the model behind the family works through. The figures are ours: round ones, in proportion
 * to what the work takes. A written token costs four times one that is read, since a model writes one at a time and
 * reads many at once; a cloned voice costs twice a ready one; a batch of recordings costs half, since it may wait.
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

/** What units of a family cost, in micro-credits. Counts that are not whole numbers from 0 are a defect. */
export const priceOf = (prices: PriceTable, { api, count }: { readonly api: string; readonly count: Units }): number =>
  units.reduce((sum, unit) => {
    const many = count[unit] ?? 0
    const total = sum + many * (prices[api]?.[unit] ?? 0)
    if (many < 0 || !Number.isSafeInteger(many) || !Number.isSafeInteger(total)) {
      throw new RangeError("Units and prices are whole numbers from 0")
    }
    return total
  }, 0)
