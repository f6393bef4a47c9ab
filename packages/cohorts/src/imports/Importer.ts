import { type CohortId, type Scope, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer, Stream } from "effect"
import { type CohortResult, type ImportProgress, noProgress } from "../Cohort.js"
import { CurrentCohortLimits } from "../CohortLimits.js"
import type { OwnerTerms } from "../CohortOwners.js"
import { cohortFiles } from "../files/CohortFiles.js"
import { numbersOnly } from "../rows/RowPlan.js"
import { CohortStore } from "../store/CohortStore.js"
import type { PendingCohort } from "../store/PendingCohort.js"
import { CallerOrder } from "./CallerOrder.js"
import { demand, ImportFailed } from "./ImportFailed.js"
import { importRows } from "./ImportRows.js"
import { openFile } from "./OpenFile.js"
import { pause } from "./Pause.js"

/** Which cohort's file is to be read; everything else is in the stores. */
export interface ImportTask {
  readonly scope: Scope
  readonly cohort_id: CohortId
}

/** Numbers made findable at a time. */
const indexedAtOnce = 1000

/** What an owner asks of a file, it asked when the file was accepted. */
const asAccepted: OwnerTerms = { declaredVariables: null, requiresRows: false }

/**
 * Reads the files of accepted cohorts: people go into the `CohortStore`, rejected rows into the `FileStore`. Going on
 * with an import that was cut off has the same result as one that was not.
 */
export class Importer extends Context.Tag("@trunkline/cohorts/Importer")<Importer, {
  /** Reads one cohort's file from where it was left, and answers the counts. Finishing the cohort is the caller's. */
  readonly run: (task: ImportTask) => Effect.Effect<CohortResult, ImportFailed>
}>() {
  /** Imports where the layer lives, a thousand rows at a time with the event loop running in between. */
  static readonly layer = Layer.effect(
    Importer,
    Effect.gen(function*() {
      const store = yield* CohortStore
      const files = yield* cohortFiles
      const open = yield* openFile
      const transactions = yield* Transactions
      const limits = yield* CurrentCohortLimits

      const keepRows = (
        { cohort: { cohort_category, cohort_id: id }, scope }: PendingCohort,
        after: ImportProgress,
        order: CallerOrder
      ) =>
        Effect.gen(function*() {
          const { header, plan } = yield* open(id, asAccepted)
          const size = yield* files.size(id, "cohort")
          let read = 0
          return yield* importRows({
            header,
            plan: cohort_category === "stop_file" ? numbersOnly(plan) : plan,
            after,
            rows: Stream.drop(files.rows(id, (bytes) => void (read += bytes)), 1),
            maxRows: limits.rows,
            percent: () => Math.floor(100 * read / Math.max(read, size, 1)),
            onValid: ({ row, user_phone_number }) => order.add(user_phone_number, row),
            keep: (batch) => Effect.flatMap(transactions.run(store.keep(scope, id, batch)), demand),
            reject: (file) => files.keep(id, "rejected_records", file)
          })
        })

      const index = ({ cohort: { cohort_id }, scope }: PendingCohort, order: CallerOrder) =>
        Effect.gen(function*() {
          for (const callers of order.batches(indexedAtOnce)) {
            yield* Effect.flatMap(transactions.run(store.index(scope, cohort_id, callers)), demand)
            yield* pause
          }
        })

      const importFrom = (pending: PendingCohort, after: ImportProgress) =>
        Effect.gen(function*() {
          const order = new CallerOrder()
          const { percent: _, ...result } = yield* keepRows(pending, after, order)
          yield* index(pending, order)
          return result
        })

      const startOver = (pending: PendingCohort) =>
        Effect.flatMap(transactions.run(store.restart(pending.scope, pending.cohort.cohort_id)), demand).pipe(
          Effect.zipRight(importFrom(pending, noProgress))
        )

      const run = Effect.fn("Importer.run")(function*(task: ImportTask) {
        yield* Effect.annotateCurrentSpan({ cohort_id: task.cohort_id })
        const found = yield* store.findPending(task.scope, task.cohort_id)
        const pending = yield* Effect.mapError(found, ImportFailed.removed)
        return yield* importFrom(pending, pending.cohort.progress ?? noProgress).pipe(
          Effect.catchTag("Diverged", () => startOver(pending)),
          Effect.mapError((error) =>
            error._tag === "ImportFailed" ? error : new ImportFailed({ message: error.message })
          )
        )
      })

      return Importer.of({ run })
    })
  )
}
