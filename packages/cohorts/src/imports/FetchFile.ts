import { Transactions, withinLimit } from "@trunkline/kernel"
import { Effect } from "effect"
import { CurrentCohortLimits } from "../CohortLimits.js"
import { CohortOwners } from "../CohortOwners.js"
import { cohortFiles } from "../files/CohortFiles.js"
import { CohortStore } from "../store/CohortStore.js"
import type { PendingCohort } from "../store/PendingCohort.js"
import { urlPlaces } from "../transformation/Places.js"
import { FileDownload } from "./FileDownload.js"
import { demand, ImportFailed } from "./ImportFailed.js"
import { openFile } from "./OpenFile.js"

const reason = ({ message }: { readonly message: string }) => new ImportFailed({ message })

/** How the file of a cohort is fetched from its URL, once: then it is kept, and fits what is asked of an upload. */
export const fetchFile = Effect.gen(function*() {
  const store = yield* CohortStore
  const files = yield* cohortFiles
  const open = yield* openFile
  const owners = yield* CohortOwners
  const download = yield* FileDownload
  const transactions = yield* Transactions
  const limits = yield* CurrentCohortLimits

  return ({ cohort: { cohort_id }, owner, scope }: PendingCohort, url: string): Effect.Effect<void, ImportFailed> =>
    Effect.gen(function*() {
      yield* files.keep(cohort_id, "cohort", withinLimit(download.fetch(url), limits.bytes)).pipe(
        Effect.catchTag(
          "BodyTooLarge",
          ({ limitBytes }) => new ImportFailed({ message: `The file is larger than ${limitBytes} bytes` })
        ),
        Effect.mapError(reason)
      )
      const terms = yield* Effect.mapError(owners.admit(scope, owner), reason)
      yield* open(cohort_id, terms, urlPlaces)
      yield* Effect.flatMap(transactions.run(store.fetched(scope, cohort_id)), demand)
    })
})
