import { ResourceName } from "@trunkline/kernel"
import { Schema } from "effect"
import { CohortCategory } from "../Cohort.js"

/** A file that is fetched from where the caller put it (shapes 4.5). */
export const PreSignedUrl = Schema.Struct({
  type: Schema.optionalWith(Schema.Literal("pre_signed_url"), { default: () => "pre_signed_url" as const }),
  /** Absolute and https. It may hold a signature, so it is shown nowhere and forgotten once the file is fetched. */
  url: Schema.String
})

/** The body that creates a cohort from a URL (shapes 4.5). `cohort_category` is an extension, as in the form. */
export const CohortFromUrl = Schema.Struct({
  name: ResourceName,
  source: PreSignedUrl,
  /** The JSON of shapes 4.3, kept as it was received. */
  cohort_transformation: Schema.Unknown,
  cohort_category: Schema.optionalWith(CohortCategory, { default: () => "cohort" as const })
})
export type CohortFromUrl = typeof CohortFromUrl.Type
