import { Schema } from "effect"

const Span = Schema.NonNegative.pipe(Schema.lessThanOrEqualTo(1_000_000))

const ByPercentiles = Schema.Struct({
  /** Pairs of a percentile and the value that so many per cent stay under; straight lines in between. */
  percentiles: Schema.Array(Schema.Tuple(Schema.Number.pipe(Schema.between(0, 100)), Span)).pipe(Schema.minItems(2))
}).pipe(
  Schema.filter(({ percentiles }) => {
    const rises = percentiles.every(([share, value], index) => {
      const before = percentiles[index - 1]
      return before === undefined || (share > before[0] && value >= before[1])
    })
    return rises && percentiles[0]?.[0] === 0 && percentiles.at(-1)?.[0] === 100
      ? undefined
      : { path: ["percentiles"], message: "Must rise, from percentile 0 to percentile 100" }
  })
)

const ByMedian = Schema.Struct({
  /** Half of all values are smaller. */
  median: Span.pipe(Schema.positive()),
  /** Nine of ten values are smaller. */
  p90: Span.pipe(Schema.positive()),
  /** No value is larger; default 10 times `p90`. */
  at_most: Schema.optional(Span)
}).pipe(
  Schema.filter(({ median, p90 }) =>
    p90 < median ? { path: ["p90"], message: "Must not be smaller than the median" } : undefined
  )
)

/**
 * How a quantity is spread, in its own unit: one number is always that; `median` and `p90` make a log-normal
 * distribution, the usual shape of how long people ring and talk; `percentiles` make any other.
 */
export const Spread = Schema.Union(Span, ByMedian, ByPercentiles).annotations({ identifier: "Spread" })
export type Spread = typeof Spread.Type

/** The 90th percentile of the standard normal distribution. */
const z90 = 1.2815515655446004

/** The value that `share` (from 0 to 1) of all values stay under. */
const atPercentile = (percentiles: ReadonlyArray<readonly [number, number]>, share: number): number => {
  const upper = percentiles.findIndex(([percent]) => percent > share * 100)
  const [from, to] = [percentiles[upper - 1], percentiles[upper]]
  if (from === undefined || to === undefined) return percentiles.at(-1)?.[1] ?? 0
  return from[1] + (to[1] - from[1]) * (share * 100 - from[0]) / (to[0] - from[0])
}

/** A value of a spread from two numbers between 0 and 1 (a normal one by Box and Muller's method). */
export const sample = (spread: Spread, first: number, second: number): number => {
  if (typeof spread === "number") return spread
  if ("percentiles" in spread) return atPercentile(spread.percentiles, first)
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
  const sigma = Math.log(spread.p90 / spread.median) / z90
  return Math.min(spread.at_most ?? 10 * spread.p90, spread.median * Math.exp(sigma * normal))
}
