import type { CohortId, PhoneNumber, Scope } from "@trunkline/kernel"
import type { Cohort, CohortOwner, CohortResult, CohortUser } from "../Cohort.js"

/** Fields that lists of cohorts can be sorted by. */
export const cohortSortable = ["created_at", "updated_at", "name", "status"] as const

/** Search and sort keys of cohorts, for `applyPage`. */
export const cohortColumns = {
  id: (row: Cohort) => row.cohort_id,
  text: (row: Cohort) => [row.name, row.cohort_id],
  sortKey: (row: Cohort, by: string): string | number => {
    switch (by) {
      case "name":
      case "status":
        return row[by]
      case "updated_at":
        return row.updated_at.epochMillis
      default:
        return row.created_at.epochMillis
    }
  }
}

/** Index entry of a user: the phone number and the row. */
export interface CallerEntry {
  readonly user_phone_number: PhoneNumber
  readonly row: number
}

/** Position in the walk over an owner's users: cohorts by completion, then rows. */
export interface UserCursor {
  readonly completed_seq: number
  readonly row: number
}

/** A user on the walk over an owner's users. */
export interface WalkedUser {
  readonly cursor: UserCursor
  readonly cohort_id: CohortId
  readonly user: CohortUser
}

/** Outcome of the processing of a cohort. */
export type CohortOutcome =
  | { readonly status: "completed"; readonly result: CohortResult }
  | { readonly status: "failed"; readonly failure_reason: string }

/** A cohort in `processing`, with everything needed to resume it after a restart. */
export interface PendingCohort {
  readonly scope: Scope
  readonly owner: CohortOwner
  readonly cohort: Cohort
  /** URL to download its file from; null once the file is stored. */
  readonly source_url: string | null
}

/** Counts of an owner's cohorts, without stop files. */
export interface CohortTally {
  readonly cohorts: number
  readonly processing: number
  readonly completed: number
  /** Number of users of all completed cohorts. */
  readonly users: number
}
