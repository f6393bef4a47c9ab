import { collectBytes } from "@trunkline/kernel"
import { Effect, Schema } from "effect"
import type { Cohort } from "../Cohort.js"
import type { OwnerTerms } from "../CohortOwners.js"
import { makeCohortFiles } from "../files/CohortFiles.js"
import type { FittedFile } from "../rows/FileHead.js"
import { formLocations, type IssueLocations, summarizeIssues } from "../transformation/IssueLocations.js"
import { parseStoredTransformation } from "../transformation/Transformation.js"

/** A cohort's file cannot be downloaded or imported. */
export class ImportFailed extends Schema.TaggedError<ImportFailed>()("ImportFailed", {
  /** A sentence for the cohort's `failure_reason`, without cells of the file or its URL. */
  message: Schema.String
}) {
  /** The error for a cohort that was removed meanwhile. */
  static readonly removed = () => new ImportFailed({ message: "The cohort was removed" })
}

/** Fails when a store reports that the cohort is no longer processing. */
export const requireProcessing = (isProcessing: boolean): Effect.Effect<void, ImportFailed> =>
  isProcessing ? Effect.void : ImportFailed.removed()

/** Makes the function that reads a stored file's header, and fits its stored transformation to it. */
export const makeStoredFileReader = Effect.map(
  makeCohortFiles,
  (files) =>
  (
    { cohort_id: id, timezone }: Pick<Cohort, "cohort_id" | "timezone">,
    terms: OwnerTerms,
    locations: IssueLocations = formLocations
  ): Effect.Effect<FittedFile, ImportFailed> =>
    Effect.gen(function*() {
      const json = yield* Effect.flatten(files.read(id, "cohort_transformation")).pipe(
        Effect.flatMap(collectBytes),
        Effect.mapError(() => new ImportFailed({ message: "The cohort's transformation is lost; upload it again" }))
      )
      return yield* Effect.flatMap(
        parseStoredTransformation(json, terms.declaredVariables),
        (transformation) => files.fit(id, { terms, transformation, locations, timezone })
      ).pipe(Effect.mapError((invalid) => new ImportFailed({ message: summarizeIssues(invalid) })))
    })
)
