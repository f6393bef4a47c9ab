import { modelInputFields } from "@trunkline/kernel"
import { Schema } from "effect"

/** Request to a model for one answer, as the difference to the request before it in the same call. */
export const ModelInput = Schema.Struct({
  /** Epoch milliseconds of business time. */
  at: Schema.Number,
  ...modelInputFields
})
export type ModelInput = typeof ModelInput.Type
