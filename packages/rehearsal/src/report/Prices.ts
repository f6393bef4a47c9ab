import { Schema } from "effect"

const Price = Schema.NonNegative

const LowestAndHighest = Schema.Tuple(Price, Price).pipe(
  Schema.filter(([lowest, highest]) => lowest <= highest, {
    message: () => "The lowest price comes first: [lowest, highest]"
  })
)

/** What connected calls cost; without prices a report has no cost. A key that is not known is refused. */
export const Prices = Schema.Struct({
  /** By its letters, such as `INR`: only repeated. */
  currency: Schema.NonEmptyTrimmedString,
  /** The lowest and the highest price of a minute, or one for both. */
  per_minute: Schema.Union(Price, LowestAndHighest),
  /** Calls are billed in so many seconds at a time; default 60. */
  pulse_seconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 3_600)), { default: () => 60 })
}).annotations({ parseOptions: { onExcessProperty: "error" } })
export type Prices = typeof Prices.Type

/** What calls of these lengths cost: whole seconds, and how many calls were as long. */
export const costOf = (lengths: ReadonlyMap<number, number>, { currency, per_minute, pulse_seconds }: Prices) => {
  const [low, high] = typeof per_minute === "number" ? [per_minute, per_minute] : per_minute
  let seconds = 0
  for (const [length, calls] of lengths) seconds += Math.ceil(length / pulse_seconds) * pulse_seconds * calls
  const minutes = seconds / 60
  const money = (price: number) => Math.round(minutes * price * 100) / 100
  return {
    currency,
    from: money(Math.min(low, high)),
    to: money(Math.max(low, high)),
    billed_minutes: Math.round(minutes * 10) / 10
  }
}
