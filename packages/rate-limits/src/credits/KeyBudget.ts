import { Schema } from "effect"

/** What a key may spend of its account's credits: a seat's budget. */
export const KeyBudget = Schema.Struct({
  /** Whole micro-credits, by the price table. */
  micro_credits: Schema.NonNegativeInt,
  /** When it starts anew: every day or month in the time zone of `Credits`, or never. */
  period: Schema.Literal("day", "month", "total")
})
export type KeyBudget = typeof KeyBudget.Type
