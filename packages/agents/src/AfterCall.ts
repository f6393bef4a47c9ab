import { Schema } from "effect"
import { optional } from "./Templates.js"

/** Characters of a summary: by default, and at least and at most. */
const summaryCharacters = { default: 600, min: 40, max: 10_000 } as const

/** Seconds that a webhook waits for the results: by default, and at most. */
const webhookWait = { default: 30, max: 300 } as const

/** Instructions for a summary. */
export const SummaryInstructions = Schema.Struct({
  /** Topics of the summary text, up to 4,000 characters; by default why the call took place, what was agreed and what is next. */
  prompt: optional(Schema.NonEmptyString.pipe(Schema.maxLength(4_000))),
  /** Longest summary, 40 to 10,000 characters; 600 by default. A longer one is cut. */
  max_characters: Schema.optionalWith(Schema.Int.pipe(Schema.between(summaryCharacters.min, summaryCharacters.max)), {
    exact: true,
    default: () => summaryCharacters.default
  })
})
export type SummaryInstructions = typeof SummaryInstructions.Type

/** Work of a model on a call after its end. */
export const AfterCall = Schema.Struct({
  /** Writes a summary of the conversation; false by default. */
  summary: Schema.optionalWith(Schema.Union(Schema.Boolean, SummaryInstructions), {
    exact: true,
    default: () => false
  }),
  /** Finds the output variables that the call has not set; false by default. */
  extract: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => false }),
  /** The language model; by default that of the conversation. */
  model: optional(Schema.NonEmptyString),
  /** Seconds that the webhook of the call waits for the results, 0 to 300; 30 by default. Then it goes without them. */
  webhook_wait_seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(0, webhookWait.max)), {
    exact: true,
    default: () => webhookWait.default
  }),
  /** Sends a second webhook with the results when the first one went without them; false by default. */
  webhook_again: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => false })
})
export type AfterCall = typeof AfterCall.Type

/** Instructions for the summary; null when none is wanted. */
export const summaryOf = ({ summary }: AfterCall): SummaryInstructions | null =>
  summary === true ? { max_characters: summaryCharacters.default } : summary === false ? null : summary
