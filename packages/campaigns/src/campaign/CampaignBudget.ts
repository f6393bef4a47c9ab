import { RuleViolation } from "@trunkline/errors"
import { type CostSettings, moneyText, toMicros } from "@trunkline/kernel"
import { Effect, Schema } from "effect"

/** Code of a currency, by ISO 4217. */
const CurrencyCode = Schema.String.pipe(
  Schema.pattern(/^[A-Z]{3}$/, {
    message: () => "Must be a currency code of three capital letters, such as USD",
    arbitrary: () => (fc) => fc.constantFrom("EUR", "INR", "USD")
  })
)

/** Largest budget. */
const maxAmount = 1_000_000_000

/** Money that a campaign may spend on its calls. When it is used up, the campaign is paused. */
export const CampaignBudget = Schema.Struct({
  /** Amount of the currency; counted to a millionth. */
  amount: Schema.Number.pipe(Schema.positive(), Schema.lessThanOrEqualTo(maxAmount)),
  /** ISO 4217 code; must be the reporting currency of the engine. */
  currency: CurrencyCode,
  /**
   * Amount that is set aside for each call that runs; by default the cost of the campaign's most expensive call so far. Give it
   * so that the first calls do not run without one.
   */
  reserve_per_call: Schema.optionalWith(
    Schema.Number.pipe(Schema.nonNegative(), Schema.lessThanOrEqualTo(maxAmount)),
    { exact: true }
  )
})
export type CampaignBudget = typeof CampaignBudget.Type

/** Costs of the ended calls of a campaign, in millionths of the reporting currency. */
export interface CampaignSpend {
  readonly spent: number
  /** Cost of the most expensive one. */
  readonly largest: number
  /** Number of ended calls of which a part of the cost is unknown, and is not counted. */
  readonly incomplete: number
}

/** The spend of a campaign without ended calls. */
export const noSpend: CampaignSpend = { spent: 0, largest: 0, incomplete: 0 }

/** A budget and what is used of it, in millionths of its currency. */
export interface BudgetFacts {
  readonly currency: string
  readonly limit: number
  readonly spent: number
  /** Amount set aside for each running call. */
  readonly reserve: number
  /** Running calls. */
  readonly running: number
}

/** The facts about a budget. */
export const budgetFactsOf = (
  { amount, currency, reserve_per_call }: CampaignBudget,
  { largest, spent }: CampaignSpend,
  running: number
): BudgetFacts => ({
  currency,
  limit: toMicros(amount),
  spent,
  reserve: reserve_per_call === undefined ? largest : toMicros(reserve_per_call),
  running
})

/** Number of further calls that a budget allows now; infinity while nothing is set aside for a call. */
export const callsWithin = ({ limit, reserve, running, spent }: BudgetFacts): number => {
  const left = limit - spent - reserve * running
  return left <= 0 ? 0 : reserve === 0 ? Infinity : Math.floor(left / reserve)
}

/** Sentence, without its period, about a budget that allows no further call. */
export const budgetSentence = (facts: BudgetFacts): string => {
  const { currency, limit, running, spent } = facts
  const usedText = `${currency} ${moneyText(spent)} of the budget of ${currency} ${moneyText(limit)} is spent`
  return running > 0
    ? `${usedText}, and the rest is set aside for the calls that run`
    : spent >= limit
    ? `${usedText}: raise the budget, then resume the campaign`
    : `${usedText}, and the rest is less than a call may cost: raise the budget, then resume the campaign`
}

/** The fault of a budget, with its field: no exchange rate is guessed, and a campaign that could call nobody is a mistake. */
const budgetFault = (
  { amount, currency, reserve_per_call = 0 }: CampaignBudget,
  reporting: string
): readonly [field: keyof CampaignBudget, message: string] | null =>
  currency !== reporting
    ? ["currency", `Must be ${reporting}, the currency in which this engine counts costs`]
    : toMicros(amount) === 0
    ? ["amount", "Must be at least 0.000001: costs are counted to a millionth"]
    : reserve_per_call > amount
    ? ["reserve_per_call", `Must be at most the amount, ${amount}: otherwise no call could begin`]
    : null

/** Fails for a budget in another currency than the engine counts costs in, and for one that pays for no call. */
export const checkBudget = (
  budget: CampaignBudget | null | undefined,
  { currency }: CostSettings
): Effect.Effect<void, RuleViolation> => {
  const fault = budget == null ? null : budgetFault(budget, currency)
  return fault === null
    ? Effect.void
    : Effect.fail(RuleViolation.at(["body", "app_config", "budget", fault[0]], fault[1]))
}
