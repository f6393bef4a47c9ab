export type * from "../../../trunkline/src/generated/Resources.js"

/** A page of a list by offset. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** Result that an upload of the same rows would have, from `POST W/cohorts/preview`. */
export interface CohortPreview {
  readonly separator: string
  readonly columns: ReadonlyArray<string>
  readonly accepted: ReadonlyArray<{
    readonly user_phone_number: string
    readonly user_identifier: string
    readonly app_variables: Readonly<Record<string, string>>
  }>
  readonly rejected: ReadonlyArray<{ readonly values: ReadonlyArray<string>; readonly reasons: ReadonlyArray<string> }>
  readonly total_records: number
  readonly valid_records: number
  readonly rejected_records: number
}
