import type { Bucket, Taken } from "./BucketStore.js"

/** How full a bucket is, by its one number. All times are whole microseconds. */
export interface Level extends Readonly<Pick<Bucket, "interval" | "burst">> {
  /** The moment at which it is full again; one that lies behind, such as 0, means that it is full. */
  full: number
}

/** So many units at a moment: microseconds since 1970. */
export interface Asked {
  readonly cost: number
  readonly at: number
}

/** How long one unit takes to refill at so many units a minute, rounded up so that the rate is never exceeded. */
export const intervalOf = (perMinute: number): number => Math.ceil(60_000_000 / perMinute)

/** How long until the level holds as many. A level that is emptier than empty becomes just empty. */
const waitFor = (level: Level, { at, cost }: Asked): number => {
  const emptyUntil = at + level.interval * level.burst
  level.full = Math.min(Math.max(level.full, at), emptyUntil)
  return Math.max(level.full + level.interval * cost - emptyUntil, 0)
}

const answer = (level: Level, { at, cost }: Asked, wait: number): Taken => {
  if (wait === 0) level.full += level.interval * cost
  const filling = level.full - at
  return {
    admitted: wait === 0,
    remaining: level.burst - Math.ceil(filling / level.interval),
    retryAfter: wait,
    resetAfter: filling,
    at
  }
}

/**
 * Takes units from a level, or, when it does not hold as many, nothing (GCRA: a token bucket that keeps the moment at
 * which it is full instead of what it holds). It changes `full`, which is to be kept even when it refuses: only then
 * does a level from before the clock went back, or from when the bucket was larger, refill in its own time.
 */
export const takeFrom = (level: Level, asked: Asked): Taken => answer(level, asked, waitFor(level, asked))

/** Takes units from every level, or, when one of them does not hold as many, from none. All of them are to be kept. */
export const takeFromAll = (levels: readonly [Level, ...ReadonlyArray<Level>], asked: Asked): Taken => {
  const wait = levels.reduce((longest, level) => Math.max(longest, waitFor(level, asked)), 0)
  return levels.map((level) => answer(level, asked, wait)).reduce((all, one) => ({
    ...all,
    remaining: Math.min(all.remaining, one.remaining),
    resetAfter: Math.max(all.resetAfter, one.resetAfter)
  }))
}
