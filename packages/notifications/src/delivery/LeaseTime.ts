import { Duration } from "effect"

/** Duration of a lease of a report or a delivery; longer than any step of the work. */
export const leaseTime = Duration.minutes(5)
