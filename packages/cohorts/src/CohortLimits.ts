import { Context, type Duration } from "effect"

/** Limits for the size and the processing of cohorts. */
export interface CohortLimits {
  /** Most bytes of a file. */
  readonly bytes: number
  /** Most rows of a file, without its header. */
  readonly rows: number
  /** Timeout of the processing of a file, not including its download. */
  readonly processing: Duration.DurationInput
  /** Most files imported at the same time, each of another workspace. */
  readonly imports: number
  /** Most files downloaded at the same time; at most two of them for the same workspace. */
  readonly downloads: number
}

/** The default limits: 100 MB, a million rows, ten minutes, two imports and eight downloads at a time. */
export const cohortLimits: CohortLimits = {
  bytes: 104_857_600,
  rows: 1_000_000,
  processing: "10 minutes",
  imports: 2,
  downloads: 8
}

/**
 * The limits in force; `cohortLimits` unless provided.
 *
 * @example
 * ```ts
 * const limits = Layer.succeed(CurrentCohortLimits, { ...cohortLimits, imports: 4 })
 * ```
 */
export class CurrentCohortLimits extends Context.Reference<CurrentCohortLimits>()("@trunkline/cohorts/CohortLimits", {
  defaultValue: () => cohortLimits
}) {}
