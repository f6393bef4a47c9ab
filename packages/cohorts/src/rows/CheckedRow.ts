import type { CohortUser } from "../Cohort.js"

/**
 * Why a row is rejected: the codes of shapes 4.4, and two of ours. `phone_scientific_notation` follows
 * `invalid_phone_number` where a spreadsheet shortened the number to the likes of `9.1987E+11`; `values_too_long` says that
 * a person's values have more than 131,072 characters together.
 */
export type RejectedReason =
  | "column_count_mismatch"
  | "missing_phone_number"
  | "invalid_phone_number"
  | "phone_scientific_notation"
  | `missing_required:${string}`
  | `transform_failed:${string}`
  | "duplicate_phone_number"
  | "duplicate_user_identifier"
  | "values_too_long"

/** A row that is right by itself; whether its person is new is for `SeenUsers` to say. */
export interface CheckedRow {
  readonly user: CohortUser
  /** The identifier that the row itself gives; null when it is a default or the phone number. */
  readonly identifier: string | null
}
