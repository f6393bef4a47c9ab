import { Effect, Schema } from "effect"

/** A cohort's file cannot be fetched, or not be read to its end. */
export class ImportFailed extends Schema.TaggedError<ImportFailed>()("ImportFailed", {
  /** Why, as a sentence for the cohort's `failure_reason`: never a cell of the file, nor where it came from. */
  message: Schema.String
}) {
  /** For a cohort that is not there any more. */
  static readonly removed = () => new ImportFailed({ message: "The cohort was removed" })
}

/** Fails when a store says that it has no such cohort in `processing`. */
export const demand = (known: boolean): Effect.Effect<void, ImportFailed> =>
  known ? Effect.void : ImportFailed.removed()
