import { Transactions, withinLimit } from "@trunkline/kernel"
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { CurrentCohortLimits } from "../CohortLimits.js"
import { CohortOwners } from "../CohortOwners.js"
import { makeCohortFiles } from "../files/CohortFiles.js"
import type { PendingCohort } from "../store/CohortRecords.js"
import { CohortStore } from "../store/CohortStore.js"
import { urlLocations } from "../transformation/IssueLocations.js"
import { ImportFailed, makeStoredFileReader, requireProcessing } from "./StoredFile.js"

/** A file could not be downloaded in full. */
export class DownloadRefused extends Schema.TaggedError<DownloadRefused>()("DownloadRefused", {
  /** A sentence for the cohort's `failure_reason`, without the URL, which may hold a signature. */
  message: Schema.String
}) {}

/** Port for downloads of files behind pre-signed URLs. */
export class FileDownload extends Context.Tag("@trunkline/cohorts/FileDownload")<FileDownload, {
  /**
   * The bytes behind a URL that a client chose: at most 100 MB, within ten minutes, without following redirects, and never
   * from a private address.
   */
  readonly fetch: (url: string) => Stream.Stream<Uint8Array, DownloadRefused>
}>() {
  /** Serves the given files by URL; none by default. Other URLs fail with HTTP 404. */
  static readonly layerMemory = (files: Readonly<Record<string, Uint8Array>> = {}): Layer.Layer<FileDownload> =>
    Layer.succeed(FileDownload, {
      fetch: (url) => {
        const file = Object.hasOwn(files, url) ? files[url] : undefined
        return file === undefined
          ? Stream.fail(new DownloadRefused({ message: "The file could not be fetched: HTTP 404" }))
          : Stream.succeed(file)
      }
    })
}

const toImportFailed = ({ message }: { readonly message: string }) => new ImportFailed({ message })

/** Makes the function that downloads the file of a cohort, stores it, and checks it as an upload is checked. */
export const makeFileFetcher = Effect.gen(function*() {
  const store = yield* CohortStore
  const files = yield* makeCohortFiles
  const openStored = yield* makeStoredFileReader
  const owners = yield* CohortOwners
  const download = yield* FileDownload
  const transactions = yield* Transactions
  const limits = yield* CurrentCohortLimits

  return ({ cohort, owner, scope }: PendingCohort, url: string): Effect.Effect<void, ImportFailed> =>
    Effect.gen(function*() {
      const { cohort_id } = cohort
      yield* files.keep(cohort_id, "cohort", withinLimit(download.fetch(url), limits.bytes)).pipe(
        Effect.catchTag(
          "BodyTooLarge",
          ({ limitBytes }) => new ImportFailed({ message: `The file is larger than ${limitBytes} bytes` })
        ),
        Effect.mapError(toImportFailed)
      )
      const terms = yield* Effect.mapError(owners.admit(scope, owner), toImportFailed)
      const { format: { separator } } = yield* openStored(cohort, terms, urlLocations)
      yield* Effect.flatMap(transactions.run(store.recordFile(scope, cohort_id, separator)), requireProcessing)
    })
})
