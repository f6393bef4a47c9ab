import type { Duration } from "effect"

/** How large a cohort may be and how long its processing may take (decisions 12). */
export interface CohortLimits {
  readonly bytes: number
  readonly rows: number
  readonly processing: Duration.DurationInput
}

/** 100 MB, a million rows, ten minutes. */
export const cohortLimits: CohortLimits = { bytes: 104_857_600, rows: 1_000_000, processing: "10 minutes" }
