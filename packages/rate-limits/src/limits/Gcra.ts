/**
 * A token bucket, represented by the time at which it is full again (GCRA, the generic cell rate algorithm of ITU-T
 * I.371). All times are whole microseconds.
 */
export interface Bucket {
  /** Owner of the bucket, such as an account id. */
  readonly owner: string
  /** Purpose of the bucket. Owner and name together identify it. */
  readonly name: string
  /** Refill time of one unit in microseconds; a positive whole number. */
  readonly interval: number
  /** Capacity in units; a positive whole number. */
  readonly burst: number
}

/** Result of taking units. All times are whole microseconds. */
export interface TakeResult {
  readonly isAdmitted: boolean
  /** Remaining whole units; the minimum of several buckets. */
  readonly remaining: number
  /** Time until the same request would be admitted; 0 when it was. */
  readonly retryAfter: number
  /** Time until every bucket is full. */
  readonly resetAfter: number
  /** Time of the decision by the store's clock, in microseconds since 1970. */
  readonly at: number
}

/** Mutable fill level of a bucket. All times are whole microseconds. */
export interface Level extends Readonly<Pick<Bucket, "interval" | "burst">> {
  /** Time at which it is full again; a time in the past, such as 0, means full. */
  full: number
}

/** A request for units at a time in microseconds since 1970. */
export interface TakeRequest {
  readonly cost: number
  readonly at: number
}

/** Refill time of one unit for a rate per minute, rounded up so that the rate is never exceeded. */
export const intervalOf = (perMinute: number): number => Math.ceil(60_000_000 / perMinute)

/** Time until the level has enough units. Clamps a level below empty to empty. */
const waitTime = (level: Level, { at, cost }: TakeRequest): number => {
  const emptyUntil = at + level.interval * level.burst
  level.full = Math.min(Math.max(level.full, at), emptyUntil)
  return Math.max(level.full + level.interval * cost - emptyUntil, 0)
}

const takeResult = (level: Level, { at, cost }: TakeRequest, wait: number): TakeResult => {
  if (wait === 0) level.full += level.interval * cost
  const filling = level.full - at
  return {
    isAdmitted: wait === 0,
    remaining: level.burst - Math.ceil(filling / level.interval),
    retryAfter: wait,
    resetAfter: filling,
    at
  }
}

/**
 * Takes units from a level, or nothing when it has too few. Updates `full`, which must be stored even when the request is
 * rejected: only then does a level from before a clock jump or a smaller burst refill at its normal rate.
 */
export const takeFrom = (level: Level, request: TakeRequest): TakeResult =>
  takeResult(level, request, waitTime(level, request))

/** Takes units from every level, or from none when one has too few. All levels must be stored. */
export const takeFromAll = (levels: readonly [Level, ...ReadonlyArray<Level>], request: TakeRequest): TakeResult => {
  const wait = levels.reduce((max, level) => Math.max(max, waitTime(level, request)), 0)
  return levels.map((level) => takeResult(level, request, wait)).reduce((result, one) => ({
    ...result,
    remaining: Math.min(result.remaining, one.remaining),
    resetAfter: Math.max(result.resetAfter, one.resetAfter)
  }))
}
