import { type BodyTooLarge, type Invalid, NotFound, type RuleViolation } from "@trunkline/errors"
import { type CohortId, Ids, type PageRequest, type Scope, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer, Queue } from "effect"
import type { Cohort, CohortOwner } from "./Cohort.js"
import { CohortOwners } from "./CohortOwners.js"
import { type CohortFile, type CohortFileType, fileDescription } from "./files/CohortFile.js"
import { cohortFiles } from "./files/CohortFiles.js"
import { FileStore } from "./files/FileStore.js"
import { FileDownload } from "./imports/FileDownload.js"
import { Importer } from "./imports/Importer.js"
import { Imports } from "./imports/Imports.js"
import { CohortStore } from "./store/CohortStore.js"
import type { CohortFromUrl } from "./uploads/CohortFromUrl.js"
import type { CohortStream } from "./uploads/CohortStream.js"
import { uploading } from "./uploads/FormUpload.js"
import { streaming } from "./uploads/PeopleUpload.js"
import type { UploadForm } from "./uploads/UploadForm.js"
import { fetching } from "./uploads/UrlUpload.js"

/** Lists of people to call, for deployments and campaigns alike (shapes 4). */
export class Cohorts extends Context.Tag("@trunkline/cohorts/Cohorts")<Cohorts, {
  /**
   * Adds the people of a CSV file. It is answered, in `processing`, as soon as the file is kept and the name, the
   * transformation and the header fit; whatever goes wrong from there on makes it `failed` with a `failure_reason`.
   * `E` is what reading the form fails with.
   */
  readonly upload: <E>(
    scope: Scope,
    owner: CohortOwner,
    upload: { readonly form: UploadForm<E>; readonly createdBy: string }
  ) => Effect.Effect<Cohort, NotFound | Invalid | RuleViolation | BodyTooLarge | E>
  /** Adds the people of a CSV file that is fetched from a URL, in the background (shapes 4.5). */
  readonly fetch: (
    scope: Scope,
    owner: CohortOwner,
    request: { readonly body: CohortFromUrl; readonly createdBy: string }
  ) => Effect.Effect<Cohort, NotFound | Invalid | RuleViolation>
  /** Adds 1 to 1,000 people (shapes 13); its files are those of an upload of the same people. */
  readonly stream: (
    scope: Scope,
    owner: CohortOwner,
    request: { readonly body: CohortStream; readonly createdBy: string }
  ) => Effect.Effect<Cohort, NotFound | Invalid | RuleViolation>
  readonly get: (scope: Scope, owner: CohortOwner, id: CohortId) => Effect.Effect<Cohort, NotFound>
  /** The cohort as it is once this process has ended its processing, which it waits for. */
  readonly finished: (scope: Scope, owner: CohortOwner, id: CohortId) => Effect.Effect<Cohort, NotFound>
  readonly list: (
    scope: Scope,
    owner: CohortOwner,
    page: PageRequest
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Cohort>; readonly total: number }, NotFound>
  /** A file of a cohort; not found as long as it has not been made. */
  readonly file: (
    scope: Scope,
    owner: CohortOwner,
    file: { readonly id: CohortId; readonly type: CohortFileType }
  ) => Effect.Effect<CohortFile, NotFound>
  /** Removes the cohorts of an owner; their people and files are dropped once the running transaction is over. */
  readonly removeOwner: (scope: Scope, owner: CohortOwner) => Effect.Effect<void>
}>() {
  /** Cohorts, with the imports working behind them for as long as the layer lives. */
  static readonly layer = Layer.effect(
    Cohorts,
    Effect.gen(function*() {
      const store = yield* CohortStore
      const files = yield* cohortFiles
      const owners = yield* CohortOwners
      const imports = yield* Imports
      const transactions = yield* Transactions

      const get = Effect.fn("Cohorts.get")(function*(scope: Scope, owner: CohortOwner, id: CohortId) {
        const found = yield* store.find(scope, owner, id)
        return yield* Effect.mapError(found, () => new NotFound({ resource: "cohort", id }))
      })

      const finished = Effect.fn("Cohorts.finished")(
        function*(scope: Scope, owner: CohortOwner, id: CohortId) {
          const ended = yield* imports.ended
          let cohort = yield* get(scope, owner, id)
          while (cohort.status === "processing") {
            yield* Effect.repeat(Queue.take(ended), { until: (one) => one === id })
            cohort = yield* get(scope, owner, id)
          }
          return cohort
        },
        Effect.scoped
      )

      const list = Effect.fn("Cohorts.list")(function*(scope: Scope, owner: CohortOwner, page: PageRequest) {
        yield* owners.require(scope, owner)
        return yield* store.list(scope, owner, page)
      })

      const file = Effect.fn("Cohorts.file")(
        function*(
          scope: Scope,
          owner: CohortOwner,
          { id, type }: { readonly id: CohortId; readonly type: CohortFileType }
        ) {
          yield* get(scope, owner, id)
          const bytes = yield* Effect.flatten(files.read(id, type)).pipe(
            Effect.mapError(() => new NotFound({ resource: "cohort file", id }))
          )
          return { ...fileDescription(id, type), size: yield* files.size(id, type), bytes }
        }
      )

      const removeOwner = Effect.fn("Cohorts.removeOwner")(function*(scope: Scope, owner: CohortOwner) {
        yield* transactions.run(
          Effect.flatMap(
            store.removeOwner(scope, owner),
            (removed) => Effect.forEach(removed, store.expect, { discard: true })
          )
        )
        yield* imports.sweep
      })

      return Cohorts.of({
        upload: yield* uploading,
        fetch: yield* fetching,
        stream: yield* streaming,
        get,
        finished,
        list,
        file,
        removeOwner
      })
    })
  ).pipe(Layer.provide(Imports.layer))

  /** Cohorts that live in memory, with the stores they live in, for scripts: nothing is fetched from anywhere. */
  static readonly layerMemory = Cohorts.layer.pipe(
    Layer.provide(Importer.layer),
    Layer.provideMerge(Layer.mergeAll(
      CohortStore.layerMemory,
      FileStore.layerMemory,
      CohortOwners.layerMemory,
      FileDownload.layerMemory(),
      Transactions.layerMemory,
      Ids.layer
    ))
  )
}
