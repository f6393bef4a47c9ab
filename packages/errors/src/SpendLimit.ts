import { Schema } from "effect"

/** A budget that a request would have gone over (shapes 9.4). Amounts are whole micro-credits. */
export const SpendLimit = Schema.Struct({
  /** Whose budget it is: `key` for that of the key that was used. */
  scope: Schema.String,
  limit: Schema.Int,
  /** What was spent of it, and what is set aside for requests that are being carried out. */
  used: Schema.Int,
  /** When it starts anew; null when it never does. */
  resets_at: Schema.NullOr(Schema.DateTimeUtc)
})
export type SpendLimit = typeof SpendLimit.Type
