import { Context } from "effect"

/** Services that providers charge for. */
export type PricedService = "voice" | "transcriber" | "model" | "carrier"

/**
 * A quantity that providers count. Minutes are those of sound that was sent, made or carried. `input_token` is one that was
 * not cached, and `audio_…` those of sound.
 */
export type PricedUnit =
  | "character"
  | "minute"
  | "input_token"
  | "cached_input_token"
  | "output_token"
  | "audio_input_token"
  | "audio_output_token"

/** The charge of a provider for a quantity of one unit of one of its models, by its public price list or by a contract. */
export interface ProviderPrice {
  readonly service: PricedService
  /** Name of the provider, such as `elevenlabs`; of a carrier, that of its line, such as `twilio` or `sip`. */
  readonly provider: string
  /** Name of the model; `*` for every model that has no price of its own. */
  readonly model: string
  readonly unit: PricedUnit
  /** Amount of the currency for `per` units; null when the price is unknown. */
  readonly amount: number | null
  /** ISO 4217 code. */
  readonly currency: string
  /** Units that `amount` is the price of, such as 1,000 characters. */
  readonly per: number
  /** Line that the price is of; only of carriers. Absent: all lines of the provider. */
  readonly connection_id?: string
  /** Beginning of the numbers on the other side, such as `+91`; only of carriers. Absent: all numbers. */
  readonly prefix?: string
  /** Seconds that are billed at least, and steps of those that follow; only of carriers. Absent: full minutes. */
  readonly increments?: Increments
  /** Charge for each answered call beside its minutes; only of carriers. Absent: none. */
  readonly setup?: number
  /** Day on which the price was read, as `2026-11-29`; null for prices of the host. */
  readonly readOn: string | null
  /** Page that the price was read from; null for prices of the host. */
  readonly page: string | null
}

/** Billing increments in seconds: 60/60 is full minutes, 6/6 begun tenths of them, 30/6 at least half a minute. */
export interface Increments {
  readonly first: number
  readonly next: number
}

/** Prices of providers. Of several that fit, the last one counts, so that those of the host follow the defaults. */
export type ProviderPriceTable = ReadonlyArray<ProviderPrice>

/** Key of a price in a table. */
export type PriceKey = Pick<ProviderPrice, "model" | "provider" | "service" | "unit">

/** The price of a model, or that of every model of the provider; null when the table has none. */
export const findPrice = (prices: ProviderPriceTable, key: PriceKey): ProviderPrice | null => {
  const fitting = prices.filter(({ provider, service, unit }) =>
    provider === key.provider && service === key.service && unit === key.unit
  )
  return fitting.findLast(({ model }) => model === key.model) ?? fitting.findLast(({ model }) => model === "*") ?? null
}

/** The call that a carrier charges for. */
export interface CarriedCall {
  /** Name of the line's provider. */
  readonly provider: string
  readonly connection_id: string
  /** Number on the other side, as `+919876543210`. */
  readonly number: string
}

/**
 * The price of a minute of a call: that of its line before that of all lines, and that of the longest beginning of the number
 * among them; null when the table has none.
 */
export const findCarrierPrice = (prices: ProviderPriceTable, call: CarriedCall): ProviderPrice | null => {
  const weight = ({ connection_id, prefix = "" }: ProviderPrice): number =>
    (connection_id === undefined ? 0 : 1_000) + prefix.length
  let best: ProviderPrice | null = null
  for (const price of prices) {
    const { connection_id = call.connection_id, prefix = "", provider, service, unit } = price
    const fits = service === "carrier" && unit === "minute" && provider === call.provider &&
      connection_id === call.connection_id && call.number.startsWith(prefix)
    if (fits && (best === null || weight(price) >= weight(best))) best = price
  }
  return best
}

const fullMinutes: Increments = { first: 60, next: 60 }

/** The seconds that a carrier bills for an answered call of a length in seconds. */
export const billedSeconds = (seconds: number, { first, next }: Increments = fullMinutes): number =>
  seconds <= first ? first : first + Math.ceil((seconds - first) / next) * next

/** The prices of this engine's providers. Default: none, so that every cost is unknown. */
export class ProviderPrices extends Context.Reference<ProviderPrices>()("@trunkline/kernel/ProviderPrices", {
  defaultValue: (): ProviderPriceTable => []
}) {}

/** The currency in which an engine reports costs, and what others are worth in it. */
export interface CostSettings {
  /** ISO 4217 code. */
  readonly currency: string
  /** Worth of one unit of another currency in `currency`, by its code. A currency without a rate stays apart. */
  readonly rates: Readonly<Record<string, number>>
}

/** The reporting currency of this engine. Default: US dollars, without rates. */
export class CostCurrency extends Context.Reference<CostCurrency>()("@trunkline/kernel/CostCurrency", {
  defaultValue: (): CostSettings => ({ currency: "USD", rates: {} })
}) {}
