import { CohortId, defaultTimeZone, PhoneNumber, ResourceName, Timestamp, TimeZone } from "@trunkline/kernel"
import { Schema } from "effect"
import { CsvSeparator } from "./csv/CsvFormat.js"

/** Status of a cohort; `completed` and `failed` are final. */
export const CohortStatus = Schema.Literal("processing", "completed", "failed")
export type CohortStatus = typeof CohortStatus.Type

/** Purpose of a cohort: users to call, or a stop file of numbers that its campaign must not call. */
export const CohortCategory = Schema.Literal("cohort", "stop_file")
export type CohortCategory = typeof CohortCategory.Type

/** Row counts of a cohort's file: `total_records` is the sum of the other two. */
export const CohortResult = Schema.Struct({
  total_records: Schema.NonNegativeInt,
  valid_records: Schema.NonNegativeInt,
  rejected_records: Schema.NonNegativeInt
})
export type CohortResult = typeof CohortResult.Type

/** Progress of an import: the rows so far, and the share of the file read. */
export const ImportProgress = Schema.Struct({
  ...CohortResult.fields,
  /** Share of the file's bytes, from 0 to 100. */
  percent: Schema.Int.pipe(Schema.between(0, 100))
})
export type ImportProgress = typeof ImportProgress.Type

/** The progress of an import that has not begun. */
export const noProgress: ImportProgress = { total_records: 0, valid_records: 0, rejected_records: 0, percent: 0 }

/** A list of users to call, as the API returns it. */
export class Cohort extends Schema.Class<Cohort>("Cohort")({
  name: ResourceName,
  cohort_id: CohortId,
  cohort_category: CohortCategory,
  status: CohortStatus,
  source_type: Schema.Literal("file_upload", "pre_signed_url", "stream"),
  /**
   * Separator of its file, found from the header or a first line `sep=`; null until a file from a URL has been read, and for users
   * that came in a request.
   */
  separator: Schema.propertySignature(Schema.NullOr(CsvSeparator)).pipe(
    Schema.withConstructorDefault(() => "comma" as const)
  ),
  /** Time zone of the days of `date` transforms: that of its campaign when the cohort was added, or Asia/Kolkata. */
  timezone: Schema.propertySignature(TimeZone).pipe(Schema.withConstructorDefault(() => defaultTimeZone)),
  created_by: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless the cohort is processing. */
  progress: Schema.NullOr(ImportProgress),
  /** Null until the cohort is completed. */
  result: Schema.NullOr(CohortResult),
  updated_by: Schema.NullOr(Schema.String),
  /** Explanation of a failure; null unless the cohort failed. */
  failure_reason: Schema.NullOr(Schema.String)
}) {}

/** The deployment or campaign that a cohort belongs to. */
export const CohortOwner = Schema.Struct({
  kind: Schema.Literal("deployment", "campaign"),
  id: Schema.String
})
export type CohortOwner = typeof CohortOwner.Type

/** Part of an agent's configuration that a row of a cohort can override for its user. */
export const OverrideName = Schema.Literal("initial_language_name", "initial_state_name", "initial_bot_message")
export type OverrideName = typeof OverrideName.Type

/** A user of a cohort, from a valid row of its file. */
export const CohortUser = Schema.Struct({
  /** Number of the record in the file; the first one after the header is 1. */
  row: Schema.Int.pipe(Schema.positive()),
  user_phone_number: PhoneNumber,
  user_identifier: Schema.String,
  agent_variables: Schema.Record({ key: Schema.String, value: Schema.String }),
  app_overrides: Schema.partial(Schema.Record({ key: OverrideName, value: Schema.String }))
})
export type CohortUser = typeof CohortUser.Type
