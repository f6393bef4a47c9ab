import { type CohortId, type Scope, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer, Stream } from "effect"
import { type CohortResult, type ImportProgress, noProgress } from "../Cohort.js"
import { CurrentCohortLimits } from "../CohortLimits.js"
import type { OwnerTerms } from "../CohortOwners.js"
import { makeCohortFiles } from "../files/CohortFiles.js"
import { phonesOnly } from "../rows/RowPlan.js"
import type { PendingCohort } from "../store/CohortRecords.js"
import { CohortStore } from "../store/CohortStore.js"
import { CallerSorter } from "./CallerSorter.js"
import { importRows } from "./ImportRows.js"
import { pause } from "./RowBatches.js"
import { ImportFailed, makeStoredFileReader, requireProcessing } from "./StoredFile.js"

/** The cohort to import; everything else is in the stores. */
export interface ImportTask {
  readonly scope: Scope
  readonly cohort_id: CohortId
}

/** Phone numbers indexed in one transaction: a few milliseconds of work. */
const indexBatchSize = 1000

/** No requirements: those of the owner were checked when the file was accepted. */
const noTerms: OwnerTerms = { declaredVariables: null, requiresRows: false }

/**
 * Imports the files of accepted cohorts: users go into the `CohortStore`, rejected rows into the `FileStore`. A resumed
 * import has the same result as an uninterrupted one.
 */
export class Importer extends Context.Tag("@trunkline/cohorts/Importer")<Importer, {
  /** Imports a cohort's file, or resumes its import, and returns the counts. The caller then finishes the cohort. */
  readonly run: (task: ImportTask) => Effect.Effect<CohortResult, ImportFailed>
}>() {
  /** Imports in this thread, a thousand rows at a time with event loop turns between them. */
  static readonly layer = Layer.effect(
    Importer,
    Effect.gen(function*() {
      const store = yield* CohortStore
      const files = yield* makeCohortFiles
      const openStored = yield* makeStoredFileReader
      const transactions = yield* Transactions
      const limits = yield* CurrentCohortLimits

      const keepRows = (
        { cohort, scope }: PendingCohort,
        after: ImportProgress,
        sorter: CallerSorter
      ) =>
        Effect.gen(function*() {
          const { cohort_category, cohort_id: id } = cohort
          const { plan, ...file } = yield* openStored(cohort, noTerms)
          const size = yield* files.size(id, "cohort")
          let read = 0
          return yield* importRows({
            ...file,
            plan: cohort_category === "stop_file" ? phonesOnly(plan) : plan,
            after,
            rows: Stream.drop(files.rows(id, (bytes) => void (read += bytes)), 1),
            maxRows: limits.rows,
            percent: () => Math.floor(100 * read / Math.max(read, size, 1)),
            onValid: ({ row, user_phone_number }) => sorter.add(user_phone_number, row),
            keep: (batch) => Effect.flatMap(transactions.runGuarded(store.keep(scope, id, batch)), requireProcessing),
            reject: (file) => files.keep(id, "rejected_records", file)
          })
        })

      const index = ({ cohort: { cohort_id }, scope }: PendingCohort, sorter: CallerSorter) =>
        Effect.gen(function*() {
          for (const callers of sorter.batches(indexBatchSize)) {
            yield* Effect.flatMap(transactions.runGuarded(store.index(scope, cohort_id, callers)), requireProcessing)
            yield* pause
          }
        })

      const importFrom = (pending: PendingCohort, after: ImportProgress) =>
        Effect.gen(function*() {
          const sorter = new CallerSorter()
          const { percent: _, ...result } = yield* keepRows(pending, after, sorter)
          yield* index(pending, sorter)
          return result
        })

      const startOver = (pending: PendingCohort) =>
        Effect.flatMap(transactions.run(store.restart(pending.scope, pending.cohort.cohort_id)), requireProcessing)
          .pipe(
            Effect.zipRight(importFrom(pending, noProgress))
          )

      const run = Effect.fn("Importer.run")(function*(task: ImportTask) {
        yield* Effect.annotateCurrentSpan({ cohort_id: task.cohort_id })
        const pendingImport = yield* store.findPending(task.scope, task.cohort_id)
        const pending = yield* Effect.mapError(pendingImport, ImportFailed.removed)
        return yield* importFrom(pending, pending.cohort.progress ?? noProgress).pipe(
          Effect.catchTag("FileChanged", () => startOver(pending)),
          Effect.mapError((error) =>
            error._tag === "ImportFailed" ? error : new ImportFailed({ message: error.message })
          )
        )
      })

      return Importer.of({ run })
    })
  )
}
