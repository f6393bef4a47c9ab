import { Context, type Duration } from "effect"

/** How large a cohort may be, and how its processing is bounded. */
export interface CohortLimits {
  /** Of the file. */
  readonly bytes: number
  readonly rows: number
  /** How long processing may take, fetching not counted. */
  readonly processing: Duration.DurationInput
  /** Files that are read at the same time, each of another workspace. */
  readonly imports: number
  /** Files that are fetched from elsewhere at the same time, two of them for the same workspace at most. */
  readonly downloads: number
}

/** 100 MB, a million rows, ten minutes (decisions 12); two imports and eight downloads at a time. */
export const cohortLimits: CohortLimits = {
  bytes: 104_857_600,
  rows: 1_000_000,
  processing: "10 minutes",
  imports: 2,
  downloads: 8
}

/** The limits in force; `cohortLimits` unless the embedder provides others. */
export class CurrentCohortLimits extends Context.Reference<CurrentCohortLimits>()("@trunkline/cohorts/CohortLimits", {
  defaultValue: () => cohortLimits
}) {}
