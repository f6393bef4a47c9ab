import { type BodyTooLarge, type Invalid, NotFound, type RuleViolation } from "@trunkline/errors"
import { type CohortId, Ids, type PageRequest, Processes, type Scope, Transactions } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer, Queue } from "effect"
import type { Cohort, CohortOwner } from "./Cohort.js"
import { CohortOwners } from "./CohortOwners.js"
import { type CohortFile, type CohortFileType, fileDescription, makeCohortFiles } from "./files/CohortFiles.js"
import { FileStore } from "./files/FileStore.js"
import { FileDownload } from "./imports/FileDownload.js"
import { Importer } from "./imports/Importer.js"
import { Imports } from "./imports/Imports.js"
import { CohortStore } from "./store/CohortStore.js"
import type { CohortFromUrl, CohortStream } from "./uploads/CohortBodies.js"
import { makeFormUpload } from "./uploads/FormUpload.js"
import { makeStreamUpload } from "./uploads/StreamUpload.js"
import type { UploadForm } from "./uploads/UploadForm.js"
import { makeUrlUpload } from "./uploads/UrlUpload.js"

/**
 * Lists of users to call, for deployments and campaigns.
 *
 * @example
 * ```ts
 * const cohort = Effect.gen(function*() {
 *   const cohorts = yield* Cohorts
 *   const form = uploadForm({ name: "June", file: Stream.make(csv), transformation })
 *   const { cohort_id } = yield* cohorts.upload(scope, owner, { form, createdBy: "script" })
 *   return yield* cohorts.finished(scope, owner, cohort_id)
 * }).pipe(Effect.provide(Cohorts.layerMemory))
 * ```
 */
export class Cohorts extends Context.Tag("@trunkline/cohorts/Cohorts")<Cohorts, {
  /**
   * Adds the users of a CSV file. Returns the cohort, in `processing`, once the file is stored and the name, the
   * transformation and the header are valid. A later error makes it `failed` with a `failure_reason`. `E` is the error of
   * reading the form.
   */
  readonly upload: <E>(
    scope: Scope,
    owner: CohortOwner,
    upload: { readonly form: UploadForm<E>; readonly createdBy: string }
  ) => Effect.Effect<Cohort, NotFound | Invalid | RuleViolation | BodyTooLarge | E>
  /** Adds the users of a CSV file that is downloaded from a URL in the background. */
  readonly fetch: (
    scope: Scope,
    owner: CohortOwner,
    request: { readonly body: CohortFromUrl; readonly createdBy: string }
  ) => Effect.Effect<Cohort, NotFound | Invalid | RuleViolation>
  /** Adds 1 to 1,000 users. The files of the cohort are those of an upload of the same users. */
  readonly stream: (
    scope: Scope,
    owner: CohortOwner,
    request: { readonly body: CohortStream; readonly createdBy: string }
  ) => Effect.Effect<Cohort, NotFound | Invalid | RuleViolation>
  /** The cohort of an owner with an id. */
  readonly get: (scope: Scope, owner: CohortOwner, id: CohortId) => Effect.Effect<Cohort, NotFound>
  /** Waits until a cohort has been processed, and returns it. */
  readonly finished: (scope: Scope, owner: CohortOwner, id: CohortId) => Effect.Effect<Cohort, NotFound>
  /** A page of the cohorts of an owner. */
  readonly list: (
    scope: Scope,
    owner: CohortOwner,
    page: PageRequest
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Cohort>; readonly total: number }, NotFound>
  /** A file of a cohort; fails with `NotFound` until it has been made. */
  readonly file: (
    scope: Scope,
    owner: CohortOwner,
    file: { readonly id: CohortId; readonly type: CohortFileType }
  ) => Effect.Effect<CohortFile, NotFound>
  /** Removes the cohorts of an owner. Their users and files are deleted after the running transaction. */
  readonly removeOwner: (scope: Scope, owner: CohortOwner) => Effect.Effect<void>
}>() {
  /** Cohorts, with imports in the background while the layer lives. */
  static readonly layer = Layer.effect(
    Cohorts,
    Effect.gen(function*() {
      const store = yield* CohortStore
      const files = yield* makeCohortFiles
      const owners = yield* CohortOwners
      const imports = yield* Imports
      const transactions = yield* Transactions
      const { pollEvery } = yield* Processes

      const get = Effect.fn("Cohorts.get")(function*(scope: Scope, owner: CohortOwner, id: CohortId) {
        const cohort = yield* store.find(scope, owner, id)
        return yield* Effect.mapError(cohort, () => new NotFound({ resource: "cohort", id }))
      })

      const finished = Effect.fn("Cohorts.finished")(
        function*(scope: Scope, owner: CohortOwner, id: CohortId) {
          const endedQueue = yield* imports.subscribeToEnds
          let cohort = yield* get(scope, owner, id)
          while (cohort.status === "processing") {
            const hasEnded = Effect.repeat(Queue.take(endedQueue), { until: (one) => one === id })
            yield* Duration.isFinite(pollEvery) ? Effect.timeoutOption(hasEnded, pollEvery) : hasEnded
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
            (removedCohortIds) => Effect.forEach(removedCohortIds, store.expect, { discard: true })
          )
        )
        yield* imports.sweep
      })

      return Cohorts.of({
        upload: yield* makeFormUpload,
        fetch: yield* makeUrlUpload,
        stream: yield* makeStreamUpload,
        get,
        finished,
        list,
        file,
        removeOwner
      })
    })
  ).pipe(Layer.provide(Imports.layer))

  /** Cohorts in memory, with their stores, for scripts and tests. There are no downloads. */
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
