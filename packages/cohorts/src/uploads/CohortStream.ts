import { ResourceName } from "@trunkline/kernel"
import { Schema } from "effect"
import { CohortCategory, OverrideName } from "../Cohort.js"
import { csvLimits } from "../csv/Csv.js"

/** The users that one request may hold (shapes 11). */
export const streamUsers = { least: 1, most: 1000 } as const

/** One value of a person: no longer than a cell of a CSV may be. */
const Value = Schema.String.pipe(Schema.maxLength(csvLimits.field))

/** One person to call (shapes 13). */
export const StreamedUser = Schema.Struct({
  /** As people write it: read as a cell of a CSV is. */
  user_phone_number: Value,
  user_identifier: Schema.optional(Value),
  app_variables: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Value }), { default: () => ({}) }),
  app_overrides: Schema.optionalWith(Schema.partial(Schema.Record({ key: OverrideName, value: Value })), {
    default: () => ({})
  })
})

/** The body that creates a cohort from the people themselves (shapes 13). `cohort_category` is an extension. */
export const CohortStream = Schema.Struct({
  name: ResourceName,
  users: Schema.Array(StreamedUser).pipe(
    Schema.minItems(streamUsers.least),
    Schema.maxItems(streamUsers.most)
  ),
  cohort_category: Schema.optionalWith(CohortCategory, { default: () => "cohort" as const })
})
export type CohortStream = typeof CohortStream.Type
