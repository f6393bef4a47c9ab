import { CohortId, PhoneNumber, ResourceName, Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"

/** Where a cohort is in its life; `completed` and `failed` are final (shapes 4.2). */
export const CohortStatus = Schema.Literal("processing", "completed", "failed")
export type CohortStatus = typeof CohortStatus.Type

/** Whether its people are to be called, or never again by this campaign (shapes 13, stop files). */
export const CohortCategory = Schema.Literal("cohort", "stop_file")
export type CohortCategory = typeof CohortCategory.Type

/** How many rows a cohort's file had: `total_records` is always the sum of the other two. */
export const CohortResult = Schema.Struct({
  total_records: Schema.NonNegativeInt,
  valid_records: Schema.NonNegativeInt,
  rejected_records: Schema.NonNegativeInt
})
export type CohortResult = typeof CohortResult.Type

/** How far the processing of a cohort is: the rows so far, and how much of its file that is. */
export const ImportProgress = Schema.Struct({
  ...CohortResult.fields,
  /** Of the file's bytes, from 0 to 100. */
  percent: Schema.Int.pipe(Schema.between(0, 100))
})
export type ImportProgress = typeof ImportProgress.Type

/** Where an import begins. */
export const noProgress: ImportProgress = { total_records: 0, valid_records: 0, rejected_records: 0, percent: 0 }

/** A list of people to call, as the API shows it (shapes 4.1). `cohort_category` and `progress` are extensions. */
export class Cohort extends Schema.Class<Cohort>("Cohort")({
  name: ResourceName,
  cohort_id: CohortId,
  cohort_category: CohortCategory,
  status: CohortStatus,
  source_type: Schema.Literal("file_upload", "pre_signed_url", "stream"),
  created_by: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless the cohort is in processing. */
  progress: Schema.NullOr(ImportProgress),
  /** Null until the cohort is completed. */
  result: Schema.NullOr(CohortResult),
  updated_by: Schema.NullOr(Schema.String),
  /** Why there is no result; null unless the cohort failed. */
  failure_reason: Schema.NullOr(Schema.String)
}) {}

/** What a cohort belongs to. */
export const CohortOwner = Schema.Struct({
  kind: Schema.Literal("deployment", "campaign"),
  id: Schema.String
})
export type CohortOwner = typeof CohortOwner.Type

/** A part of an agent's configuration that a row of a cohort can set for its person (shapes 4.3). */
export const OverrideName = Schema.Literal("initial_language_name", "initial_state_name", "initial_bot_message")
export type OverrideName = typeof OverrideName.Type

/** One person of a cohort: a row that passed every check. */
export const CohortUser = Schema.Struct({
  /** Which record of the file it was; the one after the header is 1. */
  row: Schema.Int.pipe(Schema.positive()),
  user_phone_number: PhoneNumber,
  user_identifier: Schema.String,
  agent_variables: Schema.Record({ key: Schema.String, value: Schema.String }),
  app_overrides: Schema.partial(Schema.Record({ key: OverrideName, value: Schema.String }))
})
export type CohortUser = typeof CohortUser.Type
