import type { CohortId, PhoneNumber } from "@trunkline/kernel"
import type { CohortUser } from "../Cohort.js"

/** One row's number, to find its person by. */
export interface CallerEntry {
  readonly user_phone_number: PhoneNumber
  readonly row: number
}

/** A place in the order in which people became callable: cohorts by completion, then rows. */
export interface UserCursor {
  readonly completed_seq: number
  readonly row: number
}

/** A person on the walk over an owner's people. */
export interface WalkedUser {
  readonly cursor: UserCursor
  readonly cohort_id: CohortId
  readonly user: CohortUser
}
