import { Schema } from "effect"

const Span = Schema.NonNegative.pipe(Schema.lessThanOrEqualTo(1_000_000))

const ByPercentiles = Schema.Struct({
  /** Pairs of a percentile and its value, with linear interpolation. */
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
  /** The median. */
  median: Span.pipe(Schema.positive()),
  /** The 90th percentile. */
  p90: Span.pipe(Schema.positive()),
  /** The maximum; default 10 times `p90`. */
  at_most: Schema.optional(Span)
}).pipe(
  Schema.filter(({ median, p90 }) =>
    p90 < median ? { path: ["p90"], message: "Must not be smaller than the median" } : undefined
  )
)

/**
 * Distribution of a quantity: a number is constant; `median` and `p90` make a log-normal distribution, the usual shape of
 * ringing and talking times; `percentiles` make any other.
 */
export const Distribution = Schema.Union(Span, ByMedian, ByPercentiles).annotations({ identifier: "Spread" })
export type Distribution = typeof Distribution.Type

/** The 90th percentile of the standard normal distribution. */
const z90 = 1.2815515655446004

/** The value at a share, from 0 to 1. */
const atPercentile = (percentiles: ReadonlyArray<readonly [number, number]>, share: number): number => {
  const upper = percentiles.findIndex(([percent]) => percent > share * 100)
  const [from, to] = [percentiles[upper - 1], percentiles[upper]]
  if (from === undefined || to === undefined) return percentiles.at(-1)?.[1] ?? 0
  return from[1] + (to[1] - from[1]) * (share * 100 - from[0]) / (to[0] - from[0])
}

/** A value of a distribution from two uniform numbers in [0, 1), with the Box-Muller method for log-normal ones. */
export const sample = (spread: Distribution, first: number, second: number): number => {
  if (typeof spread === "number") return spread
  if ("percentiles" in spread) return atPercentile(spread.percentiles, first)
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)
  const sigma = Math.log(spread.p90 / spread.median) / z90
  return Math.min(spread.at_most ?? 10 * spread.p90, spread.median * Math.exp(sigma * normal))
}
