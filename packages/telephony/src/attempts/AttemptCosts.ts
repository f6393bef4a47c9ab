import {
  CostCurrency,
  type CostLedger,
  makeCounter,
  makeLedger,
  ProviderPrices,
  reportedMicros
} from "@trunkline/kernel"
import { Effect } from "effect"
import type { Attempt } from "../call/Attempt.js"
import { type CallOutcome, durationSeconds } from "../call/CallOutcome.js"

const services = ["voice", "transcriber", "model", "carrier"] as const

const costs = makeCounter({
  name: "trunkline_cost_total",
  help: "Known costs of ended calls, in the reporting currency",
  labels: { service: services }
})

const unknownCosts = makeCounter({
  name: "trunkline_cost_unknown_total",
  help: "Quantities in ended calls whose price, or the rate of whose currency, is unknown",
  labels: { service: services }
})

const microsPerUnit = 1_000_000

/**
 * Makes a function that computes what calls cost; null where the engine has no prices. Only answered calls have a charge of the
 * carrier. What another process used of a call before it stopped is not known, so that such a ledger is not complete.
 */
export const makeAttemptCosts = Effect.map(Effect.all([ProviderPrices, CostCurrency]), ([prices, settings]) => ({
  of: (attempt: Attempt, outcome: CallOutcome): CostLedger | null => {
    if (prices.length === 0) return null
    const usage = outcome.usage ?? []
    if (outcome._tag === "NotConnected") {
      return makeLedger(prices, settings, { usage, carrierUse: null, isPartial: outcome.situation === "unknown" })
    }
    const { channel_provider: provider, connection_id, user_phone_number: number } = attempt
    const isPartial = (outcome.resumed_at ?? []).length > 0 || outcome.cut !== undefined
    return makeLedger(prices, settings, {
      usage,
      isPartial,
      carrierUse: { provider, connection_id, number, seconds: durationSeconds(outcome) }
    })
  },
  /** Adds a ledger to the metrics. */
  count: ({ lines }: CostLedger): void => {
    for (const line of lines) {
      const { service } = line
      const amount = reportedMicros(line, settings)
      if (amount === null) unknownCosts.add(1, { service })
      else costs.add(amount / microsPerUnit, { service })
    }
  }
}))
