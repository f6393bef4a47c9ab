import { Invalid } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { Array, Effect } from "effect"
import type { CohortOwner } from "../Cohort.js"
import { CohortOwners } from "../CohortOwners.js"
import { cohortFiles } from "../files/CohortFiles.js"
import { acceptance } from "./Acceptance.js"
import { categoryIssues } from "./CategoryCheck.js"
import type { CohortStream } from "./CohortStream.js"
import { peopleFile } from "./PeopleFile.js"

/** How a cohort is made of the people in a request: as if they had been uploaded as a CSV. */
export const streaming = Effect.gen(function*() {
  const files = yield* cohortFiles
  const owners = yield* CohortOwners
  const accept = yield* acceptance

  return Effect.fn("Cohorts.stream")(function*(
    scope: Scope,
    owner: CohortOwner,
    { body, createdBy }: { readonly body: CohortStream; readonly createdBy: string }
  ) {
    const terms = yield* owners.admit(scope, owner)
    const misplaced = categoryIssues(body.cohort_category, owner)
    if (Array.isNonEmptyReadonlyArray(misplaced)) return yield* new Invalid({ issues: misplaced })
    const { csv, transformation } = yield* peopleFile(body, terms)
    return yield* accept({ scope, owner, source_type: "stream", createdBy }, (id) =>
      Effect.as(
        Effect.zipRight(
          files.keep(id, "cohort", csv),
          files.keep(id, "cohort_transformation", transformation)
        ),
        { name: body.name, category: body.cohort_category, source_url: null }
      ))
  })
})
