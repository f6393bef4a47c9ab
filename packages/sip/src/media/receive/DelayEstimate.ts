/**
 * Estimate of the delay that packets need before they are played. Times count in samples. The transit of a packet is its
 * time of arrival less its timestamp: a number without meaning of its own, as both clocks start anywhere, but its variation
 * is that of the network.
 */
export interface DelayEstimate {
  /** Takes the transit of a packet. */
  readonly add: (transit: number) => void
  /** Shortest transit of the last packets; NaN before the first. */
  readonly base: number
  /** Delay after the shortest transit at which nearly all of the last packets were there. */
  readonly target: number
  /** Forgets all packets. */
  readonly reset: () => void
}

/** Limits of the delay, in samples. */
export interface DelayLimits {
  readonly minimum: number
  readonly maximum: number
}

/** Packets that are remembered: five seconds of 20 ms each. */
const windowSize = 256

/** Packets after which the estimate is made anew. */
const updateInterval = 16

/** Packets before which the estimate may not fall below the initial delay. */
const settlingTime = 50

/** Share of packets that must be there in time. */
const quantile = 0.98

/** Delay beyond that of the quantile, and before enough is known, in samples: 5 and 40 ms. */
const margin = 40
const initialDelay = 320

/** Makes an estimate over the last 256 packets. It follows a growing variation at once. */
export const makeDelayEstimate = ({ maximum, minimum }: DelayLimits): DelayEstimate => {
  const transits = new Float64Array(windowSize)
  const sortedNumbers = new Float64Array(windowSize)
  const initial = Math.max(minimum, Math.min(maximum, initialDelay))
  let count = 0
  let base = Number.NaN
  let target = initial

  const estimate = (): void => {
    const size = Math.min(count, windowSize)
    sortedNumbers.set(transits)
    sortedNumbers.fill(Infinity, size)
    sortedNumbers.sort()
    base = sortedNumbers[0] ?? 0
    const spread = (sortedNumbers[Math.ceil(size * quantile) - 1] ?? 0) - base
    const lowest = count < settlingTime ? initial : minimum
    target = Math.max(lowest, Math.min(maximum, Math.ceil(spread + margin)))
  }

  return {
    add: (transit) => {
      transits[count % windowSize] = transit
      count += 1
      if (count === 1) base = transit
      else base = Math.min(base, transit)
      if (count % updateInterval === 0 || transit > base + target) estimate()
    },
    get base() {
      return base
    },
    get target() {
      return target
    },
    reset: () => {
      count = 0
      base = Number.NaN
      target = initial
    }
  }
}
