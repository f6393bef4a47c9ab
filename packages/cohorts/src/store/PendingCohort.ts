import type { Scope } from "@trunkline/kernel"
import type { Cohort, CohortOwner, CohortResult } from "../Cohort.js"

/** How the processing of a cohort ended. */
export type CohortOutcome =
  | { readonly status: "completed"; readonly result: CohortResult }
  | { readonly status: "failed"; readonly failure_reason: string }

/** A cohort in `processing`, with what is needed to go on with it after a restart. */
export interface PendingCohort {
  readonly scope: Scope
  readonly owner: CohortOwner
  readonly cohort: Cohort
  /** Where its file has still to be fetched from; null once the file is kept. */
  readonly source_url: string | null
}
