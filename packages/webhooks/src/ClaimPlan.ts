/** How many tries may run at once. */
export interface DeliveryLimits {
  /** Over all receivers. */
  readonly total: number
  /** To one receiver (origin). */
  readonly perOrigin: number
}

/** What to claim next: at most so many rows, of any receiver but these. */
export interface ClaimPlan {
  readonly limit: number
  readonly exceptOrigins: ReadonlyArray<string>
}

/**
 * How much may be claimed while `inFlight` tries run for each origin.
 *
 * Whichever receivers the claimed rows turn out to go to, no limit is exceeded; and a receiver that uses all
 * of its share is passed over, so that its backlog does not stand before the others'.
 */
export const nextClaim = (inFlight: ReadonlyMap<string, number>, limits: DeliveryLimits): ClaimPlan => {
  const running = [...inFlight.values()]
  const total = running.reduce((sum, count) => sum + count, 0)
  const busiest = Math.max(0, ...running.filter((count) => count < limits.perOrigin))
  return {
    limit: Math.min(limits.total - total, limits.perOrigin - busiest),
    exceptOrigins: [...inFlight.keys()].filter((origin) => (inFlight.get(origin) ?? 0) >= limits.perOrigin)
  }
}
