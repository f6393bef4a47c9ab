import { AttemptId, Scope } from "@trunkline/kernel"
import { Schema } from "effect"

/** Requests to the model so far, and the tokens that it reported; null tokens where it reported none. */
export const AskTally = Schema.Struct({
  tries: Schema.NonNegativeInt,
  input_tokens: Schema.NullOr(Schema.NonNegativeInt),
  output_tokens: Schema.NullOr(Schema.NonNegativeInt)
})
export type AskTally = typeof AskTally.Type

/** Nothing asked yet. */
export const noAsks: AskTally = { tries: 0, input_tokens: null, output_tokens: null }

/** The work on one ended call, until it is done. Times are real milliseconds since 1970. It holds nothing personal. */
export const AfterCallJob = Schema.Struct({
  attempt_id: AttemptId,
  scope: Scope,
  /** End of the call. */
  created_at: Schema.Int,
  /** Time from which it can be claimed: that of its next run, or the end of the lease of a run. */
  due_at: Schema.Int,
  /** Number of claims. */
  runs: Schema.NonNegativeInt,
  asked: AskTally
})
export type AfterCallJob = typeof AfterCallJob.Type
