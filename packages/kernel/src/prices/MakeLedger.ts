import type { CostLedger, CostLine } from "./CostLedger.js"
import type { ServiceUsage } from "./CurrentUsage.js"
import { convertMicros, priceInMicros } from "./Money.js"
import {
  billedSeconds,
  type CarriedCall,
  type CostSettings,
  findCarrierPrice,
  findPrice,
  type ProviderPrice,
  type ProviderPriceTable
} from "./ProviderPrice.js"

/** An answered call, for its carrier's charge. */
export interface CarrierUse extends CarriedCall {
  /** Seconds from the answer to the end. */
  readonly seconds: number
}

/** Sources of the costs of a call. */
export interface LedgerInput {
  readonly usage: ReadonlyArray<ServiceUsage>
  /** Null when the call was not answered, or for work after a call. */
  readonly carrierUse: CarrierUse | null
  /** A part of the usage is not known, such as that of a process that has stopped. Absent: false. */
  readonly isPartial?: boolean
}

/** Decimals of quantities: seconds have milliseconds. */
const round = (quantity: number): number => Math.round(quantity * 1_000) / 1_000

const priceOf = (prices: ProviderPriceTable, { model, provider, service, unit }: ServiceUsage): ProviderPrice | null =>
  unit === "call"
    ? null
    : findPrice(prices, { service, provider, model, unit: unit === "second" ? "minute" : unit })

const lineOf = (usage: ServiceUsage, price: ProviderPrice | null): CostLine => {
  const { estimated = false, model, provider, service, unit } = usage
  const quantity = round(usage.quantity)
  const per = price === null ? 1 : unit === "second" ? price.per * 60 : price.per
  const amount = price?.amount ?? null
  return {
    service,
    provider,
    model,
    unit,
    quantity,
    ...(estimated && { estimated }),
    unit_price: amount,
    per,
    currency: price === null || amount === null ? null : price.currency,
    amount_micros: amount === null ? null : priceInMicros(quantity, amount, per)
  }
}

const isKnown = (price: ProviderPrice | null): boolean => price !== null && price.amount !== null

/**
 * Lines of what was used. A voice counts both its characters and its seconds: those count that it has a price for, and its
 * characters when it has none.
 */
const usedLines = (prices: ProviderPriceTable, usage: ReadonlyArray<ServiceUsage>): ReadonlyArray<CostLine> =>
  usage.flatMap((one) => {
    const price = priceOf(prices, one)
    if (one.service === "voice" && !isKnown(price)) {
      const others = usage.filter(({ model, provider, service, unit }) =>
        service === "voice" && provider === one.provider && model === one.model && unit !== one.unit
      )
      if (one.unit === "second" || others.some((other) => isKnown(priceOf(prices, other)))) {
        return others.length === 0 ? [lineOf(one, price)] : []
      }
    }
    return [lineOf(one, price)]
  })

const carrierLines = (prices: ProviderPriceTable, call: CarrierUse): ReadonlyArray<CostLine> => {
  const price = findCarrierPrice(prices, call)
  const base = { service: "carrier", provider: call.provider, model: call.connection_id } as const
  const quantity = price === null ? call.seconds : billedSeconds(call.seconds, price.increments)
  const minutes = quantity > 0 ? [lineOf({ ...base, unit: "second", quantity }, price)] : []
  const setup = price?.setup ?? 0
  return price === null || setup === 0
    ? minutes
    : [...minutes, lineOf({ ...base, unit: "call", quantity: 1 }, { ...price, amount: setup, per: 1 })]
}

/** The known amount of a line in the reporting currency; null when its price or the rate of its currency is unknown. */
export const reportedMicros = (
  { amount_micros, currency }: Pick<CostLine, "amount_micros" | "currency">,
  settings: CostSettings
): number | null => {
  if (amount_micros === null || currency === null) return null
  if (currency === settings.currency) return amount_micros
  const rate = Object.hasOwn(settings.rates, currency) ? settings.rates[currency] : undefined
  return rate === undefined ? null : convertMicros(amount_micros, rate)
}

/** The ledger of some lines. */
export const ledgerOf = (lines: ReadonlyArray<CostLine>, settings: CostSettings, isPartial = false): CostLedger => {
  const totals = new Map<string, number>()
  let total: number | null = lines.length === 0 ? 0 : null
  let complete = !isPartial
  for (const line of lines) {
    if (line.amount_micros !== null && line.currency !== null) {
      totals.set(line.currency, (totals.get(line.currency) ?? 0) + line.amount_micros)
    }
    const micros = reportedMicros(line, settings)
    if (micros === null) complete = false
    else total = (total ?? 0) + micros
  }
  return {
    lines,
    totals: Array.from(totals, ([currency, amount_micros]) => ({ currency, amount_micros })),
    currency: settings.currency,
    amount_micros: total,
    complete
  }
}

/** Computes the ledger of a call from what it used. A price that nobody knows makes it incomplete, and never counts as 0. */
export const makeLedger = (
  prices: ProviderPriceTable,
  settings: CostSettings,
  { carrierUse, isPartial = false, usage }: LedgerInput
): CostLedger =>
  ledgerOf(
    [...usedLines(prices, usage), ...(carrierUse === null ? [] : carrierLines(prices, carrierUse))],
    settings,
    isPartial
  )

/** A ledger with further usage, such as that of work after the call. */
export const addToLedger = (
  prices: ProviderPriceTable,
  settings: CostSettings,
  { before, usage }: { readonly before: CostLedger | null; readonly usage: ReadonlyArray<ServiceUsage> }
): CostLedger => {
  const lines = [...before?.lines ?? [], ...usedLines(prices, usage)]
  const isHidden = before !== null && !before.complete && ledgerOf(before.lines, settings).complete
  return ledgerOf(lines, settings, isHidden || before === null)
}
