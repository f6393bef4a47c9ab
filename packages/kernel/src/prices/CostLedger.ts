import { Schema } from "effect"

/** A unit that costs are counted in. Of a carrier, seconds are those that it bills, and `call` is its charge for each call. */
export const CostUnit = Schema.Literal(
  "character",
  "second",
  "input_token",
  "cached_input_token",
  "output_token",
  "audio_input_token",
  "audio_output_token",
  "call"
)
export type CostUnit = typeof CostUnit.Type

/** A quantity of a provider's service that a call used, and what it costs. */
export const CostLine = Schema.Struct({
  service: Schema.Literal("voice", "transcriber", "model", "carrier"),
  /** Name of the provider, such as `elevenlabs`. */
  provider: Schema.String,
  /** Name of its model; of a carrier, the line. */
  model: Schema.String,
  unit: CostUnit,
  quantity: Schema.NonNegative,
  /** The provider did not tell the quantity, so that it was estimated. Absent: false. */
  estimated: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Price of `per` units in the currency; null when it is unknown. */
  unit_price: Schema.NullOr(Schema.NonNegative),
  /** Units that `unit_price` is the price of. */
  per: Schema.Positive,
  /** ISO 4217 code; null when the price is unknown. */
  currency: Schema.NullOr(Schema.String),
  /** Millionths of the currency; null when the price is unknown. */
  amount_micros: Schema.NullOr(Schema.NonNegativeInt)
})
export type CostLine = typeof CostLine.Type

/** Costs of a call: every quantity with its price, and the sum. */
export const CostLedger = Schema.Struct({
  lines: Schema.Array(CostLine),
  /** Sums of the known amounts in their own currencies. */
  totals: Schema.Array(Schema.Struct({ currency: Schema.String, amount_micros: Schema.NonNegativeInt })),
  /** Reporting currency of the engine, an ISO 4217 code. */
  currency: Schema.String,
  /**
   * Sum of what is known, in millionths of the reporting currency: the least that the call costs when it is not complete. Null
   * when there are lines and none is known.
   */
  amount_micros: Schema.NullOr(Schema.NonNegativeInt),
  /** True when every line has a price, in the reporting currency or one with a rate. */
  complete: Schema.Boolean
})
export type CostLedger = typeof CostLedger.Type
