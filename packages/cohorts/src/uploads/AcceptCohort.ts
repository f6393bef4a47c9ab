import { BusinessTime, type CohortId, Ids, type Scope, Transactions } from "@trunkline/kernel"
import { Effect } from "effect"
import { Cohort, type CohortCategory, type CohortOwner, noProgress } from "../Cohort.js"
import { CohortOwners } from "../CohortOwners.js"
import type { CsvSeparator } from "../csv/CsvFormat.js"
import { makeCohortFiles } from "../files/CohortFiles.js"
import { Imports } from "../imports/Imports.js"
import type { PendingCohort } from "../store/CohortRecords.js"
import { CohortStore } from "../store/CohortStore.js"

/** Origin of a new cohort. */
interface CohortOrigin {
  readonly scope: Scope
  readonly owner: CohortOwner
  readonly source_type: Cohort["source_type"]
  /** Label of the API key. */
  readonly createdBy: string
}

/** Details of a cohort whose files are stored. */
interface ReceivedCohort {
  readonly name: string
  readonly category: CohortCategory
  readonly source_url: string | null
  readonly separator: CsvSeparator | null
}

/**
 * Makes the function that accepts cohorts: `receive` stores the files under a new id, and then the cohort is inserted in
 * `processing`. Rejected and interrupted cohorts leave no files; after a crash the next start deletes them.
 */
export const makeAcceptCohort = Effect.gen(function*() {
  const store = yield* CohortStore
  const files = yield* makeCohortFiles
  const owners = yield* CohortOwners
  const imports = yield* Imports
  const transactions = yield* Transactions
  const ids = yield* Ids

  const insert = (
    { createdBy, owner, scope, source_type }: CohortOrigin,
    cohort_id: CohortId,
    { category, name, separator, source_url }: ReceivedCohort
  ) =>
    transactions.run(Effect.gen(function*() {
      const { timezone } = yield* owners.admit(scope, owner)
      const now = yield* BusinessTime.date
      const cohort = new Cohort({
        name,
        cohort_id,
        cohort_category: category,
        status: "processing",
        source_type,
        separator,
        ...(timezone === undefined ? {} : { timezone }),
        created_by: createdBy,
        created_at: now,
        updated_at: now,
        progress: noProgress,
        result: null,
        updated_by: null,
        failure_reason: null
      })
      const pending: PendingCohort = { scope, owner, cohort, source_url }
      yield* imports.insert(pending)
      return pending
    }))

  const discard = (id: CohortId) => Effect.zipRight(files.remove(id), store.unexpect(id))

  return <E>(origin: CohortOrigin, receive: (id: CohortId) => Effect.Effect<ReceivedCohort, E>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const id = yield* ids.cohortId
        yield* imports.keepFiles(id)
        yield* store.expect(id)
        const pending = yield* Effect.onError(
          Effect.flatMap(restore(receive(id)), (receivedCohort) => insert(origin, id, receivedCohort)),
          () => discard(id)
        )
        yield* imports.add(pending)
        return pending.cohort
      })
    ).pipe(Effect.scoped)
})
