import { type CohortId, collectBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import type { OwnerTerms } from "../CohortOwners.js"
import { cohortFiles } from "../files/CohortFiles.js"
import { fitFile, type FittedFile } from "../rows/FileHead.js"
import { type CohortPlaces, formPlaces, inWords } from "../transformation/Places.js"
import { parseTransformation } from "../transformation/Transformation.js"
import { ImportFailed } from "./ImportFailed.js"

/** How a cohort's file and its transformation are read together from the `FileStore`, under the owner's terms. */
export const openFile = Effect.map(
  cohortFiles,
  (files) =>
  (
    id: CohortId,
    terms: OwnerTerms,
    places: CohortPlaces = formPlaces
  ): Effect.Effect<FittedFile, ImportFailed> =>
    Effect.gen(function*() {
      const json = yield* Effect.flatten(files.read(id, "cohort_transformation")).pipe(
        Effect.flatMap(collectBytes),
        Effect.mapError(() => new ImportFailed({ message: "The cohort's transformation is lost; upload it again" }))
      )
      return yield* Effect.flatMap(
        parseTransformation(json, terms.declaredVariables),
        (transformation) => fitFile(files.rows(id), { terms, transformation, places })
      ).pipe(Effect.mapError((invalid) => new ImportFailed({ message: inWords(invalid) })))
    })
)
