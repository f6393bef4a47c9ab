import { Invalid } from "@trunkline/errors"
import { checkWebAddress, type Scope, WebAddressRules } from "@trunkline/kernel"
import { Array, Effect, Either, Stream } from "effect"
import type { CohortOwner } from "../Cohort.js"
import { CohortOwners } from "../CohortOwners.js"
import { makeCohortFiles } from "../files/CohortFiles.js"
import { decodeTransformation } from "../transformation/Transformation.js"
import { makeAcceptCohort } from "./AcceptCohort.js"
import { categoryIssues, type CohortFromUrl } from "./CohortBodies.js"

/** Makes `Cohorts.fetch`, which checks a request as far as possible without the file. */
export const makeUrlUpload = Effect.gen(function*() {
  const files = yield* makeCohortFiles
  const owners = yield* CohortOwners
  const rules = yield* WebAddressRules
  const accept = yield* makeAcceptCohort

  const check = (body: CohortFromUrl, owner: CohortOwner, declaredVariables: ReadonlyArray<string> | null) =>
    Effect.gen(function*() {
      const address = yield* Effect.either(checkWebAddress(body.source.url, ["body", "source", "url"], rules))
      const transformation = decodeTransformation(body.cohort_transformation, declaredVariables)
      const issues = [
        ...(Either.isLeft(address) ? address.left.issues : []),
        ...categoryIssues(body.cohort_category, owner),
        ...(Either.isLeft(transformation) ? transformation.left.issues : [])
      ]
      if (Array.isNonEmptyReadonlyArray(issues)) return yield* new Invalid({ issues })
    })

  return Effect.fn("Cohorts.fetch")(function*(
    scope: Scope,
    owner: CohortOwner,
    { body, createdBy }: { readonly body: CohortFromUrl; readonly createdBy: string }
  ) {
    const { declaredVariables } = yield* owners.admit(scope, owner)
    yield* check(body, owner, declaredVariables)
    const json = new TextEncoder().encode(JSON.stringify(body.cohort_transformation))
    return yield* accept(
      { scope, owner, source_type: "pre_signed_url", createdBy },
      (id) =>
        Effect.as(files.keep(id, "cohort_transformation", Stream.succeed(json)), {
          name: body.name,
          category: body.cohort_category,
          source_url: body.source.url,
          separator: null
        })
    )
  })
})
