import { BusinessTime, type CohortId, Ids, type Scope, Transactions } from "@trunkline/kernel"
import { Effect } from "effect"
import { Cohort, type CohortCategory, type CohortOwner, noProgress } from "../Cohort.js"
import { CohortOwners } from "../CohortOwners.js"
import { cohortFiles } from "../files/CohortFiles.js"
import { Imports } from "../imports/Imports.js"
import { CohortStore } from "../store/CohortStore.js"
import type { PendingCohort } from "../store/PendingCohort.js"

/** Where a cohort comes from and who sends it. */
export interface CohortOrigin {
  readonly scope: Scope
  readonly owner: CohortOwner
  readonly source_type: Cohort["source_type"]
  /** By the label of the key. */
  readonly createdBy: string
}

/** What is known of a cohort once its files are kept. */
export interface ReceivedCohort {
  readonly name: string
  readonly category: CohortCategory
  readonly source_url: string | null
}

/**
 * How a cohort comes to be: `receive` keeps its files under a new id, and then it is there, in `processing`. When it is
 * refused or cut off, its files go; after a crash they go with the next start.
 */
export const acceptance = Effect.gen(function*() {
  const store = yield* CohortStore
  const files = yield* cohortFiles
  const owners = yield* CohortOwners
  const imports = yield* Imports
  const transactions = yield* Transactions
  const ids = yield* Ids

  const insert = (
    { createdBy, owner, scope, source_type }: CohortOrigin,
    cohort_id: CohortId,
    { category, name, source_url }: ReceivedCohort
  ) =>
    transactions.run(Effect.gen(function*() {
      yield* owners.admit(scope, owner)
      const now = yield* BusinessTime.date
      const cohort = new Cohort({
        name,
        cohort_id,
        cohort_category: category,
        status: "processing",
        source_type,
        created_by: createdBy,
        created_at: now,
        updated_at: now,
        progress: noProgress,
        result: null,
        updated_by: null,
        failure_reason: null
      })
      const pending: PendingCohort = { scope, owner, cohort, source_url }
      yield* store.insert(pending)
      return pending
    }))

  const forget = (id: CohortId) => Effect.zipRight(files.remove(id), store.unexpect(id))

  return <E>(origin: CohortOrigin, receive: (id: CohortId) => Effect.Effect<ReceivedCohort, E>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const id = yield* ids.cohortId
        yield* imports.receiving(id)
        yield* store.expect(id)
        const pending = yield* Effect.onError(
          Effect.flatMap(restore(receive(id)), (received) => insert(origin, id, received)),
          () => forget(id)
        )
        yield* imports.add(pending)
        return pending.cohort
      })
    ).pipe(Effect.scoped)
})
