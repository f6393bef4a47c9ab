import type { Issue } from "@trunkline/errors"
import { ResourceName } from "@trunkline/kernel"
import { Schema } from "effect"
import { CohortCategory, type CohortOwner, OverrideName } from "../Cohort.js"
import { csvLimits } from "../csv/Csv.js"

/** Limits for the number of users in a request. */
export const streamUsers = { min: 1, max: 1000 } as const

/** A value of a user, at most as long as a cell of a CSV. */
const Value = Schema.String.pipe(Schema.maxLength(csvLimits.field))

/** A user in the body of a request. */
export const StreamedUser = Schema.Struct({
  /** In any format that a cell of a CSV may have. */
  user_phone_number: Value,
  user_identifier: Schema.optional(Value),
  app_variables: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Value }), { default: () => ({}) }),
  app_overrides: Schema.optionalWith(Schema.partial(Schema.Record({ key: OverrideName, value: Value })), {
    default: () => ({})
  })
})

/** Body of a request that creates a cohort from the users in it. */
export const CohortStream = Schema.Struct({
  name: ResourceName,
  users: Schema.Array(StreamedUser).pipe(
    Schema.minItems(streamUsers.min),
    Schema.maxItems(streamUsers.max)
  ),
  cohort_category: Schema.optionalWith(CohortCategory, { default: () => "cohort" as const })
})
export type CohortStream = typeof CohortStream.Type

/** A file to download from a pre-signed URL. */
export const PreSignedUrl = Schema.Struct({
  type: Schema.optionalWith(Schema.Literal("pre_signed_url"), { default: () => "pre_signed_url" as const }),
  /** An absolute https URL. It may hold a signature, so it is never shown, and removed once the file is stored. */
  url: Schema.String
})

/** Body of a request that creates a cohort from a URL. */
export const CohortFromUrl = Schema.Struct({
  name: ResourceName,
  source: PreSignedUrl,
  /** JSON of a `Transformation`, stored as received. */
  cohort_transformation: Schema.Unknown,
  cohort_category: Schema.optionalWith(CohortCategory, { default: () => "cohort" as const })
})
export type CohortFromUrl = typeof CohortFromUrl.Type

/** Issues of a category for an owner: only campaigns make calls, so only they accept stop files. */
export const categoryIssues = (category: CohortCategory, owner: CohortOwner): ReadonlyArray<Issue> =>
  category === "stop_file" && owner.kind !== "campaign"
    ? [{ loc: ["body", "cohort_category"], msg: "Only a campaign takes a stop file", type: "value_error" }]
    : []
