import { type BodyTooLarge, Invalid, NotFound, type RuleViolation } from "@trunkline/errors"
import { BusinessTime, type CohortId, Ids, type PageRequest, type Scope, Transactions } from "@trunkline/kernel"
import { Cause, Context, Data, type DateTime, Effect, Either, identity, Layer, Option, Stream } from "effect"
import { Cohort, type CohortOwner, type CohortResult } from "./Cohort.js"
import { type CohortLimits, cohortLimits } from "./CohortLimits.js"
import { CohortOwners } from "./CohortOwners.js"
import { csvRows } from "./csv/CsvReader.js"
import { type CohortFile, CohortFileType, fileDescription, fileKey } from "./files/CohortFile.js"
import { FileStore } from "./files/FileStore.js"
import { importRows } from "./rows/RowImport.js"
import { type CohortOutcome, CohortStore } from "./store/CohortStore.js"
import { checkForm, type CohortUpload, fileIssues, fitFile, type FittedFile, withinLimit } from "./uploads/Upload.js"

const cutOff = "The server stopped while the file was being read; upload it again"

class Stopped extends Data.TaggedError("Stopped")<{ readonly message: string }> {}

const processingCohort = (accepted: Pick<Cohort, "cohort_id" | "created_by" | "name">, now: DateTime.Utc): Cohort =>
  new Cohort({
    ...accepted,
    status: "processing",
    source_type: "file_upload",
    created_at: now,
    updated_at: now,
    result: null,
    updated_by: null,
    failure_reason: null
  })

const failureReason = (cause: Cause.Cause<{ readonly message: string }>): string =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) => error.message,
    onNone: () => Cause.isInterrupted(cause) ? "The processing was interrupted" : "The cohort could not be stored"
  })

/** How a processing ends, whatever happens in it. Only the kind of a defect is logged: its text may hold people's data. */
const outcomeOf = <E extends { readonly message: string }>(
  processing: Effect.Effect<CohortResult, E>
): Effect.Effect<CohortOutcome> =>
  Effect.matchCauseEffect(processing, {
    onSuccess: (result) => Effect.succeed({ status: "completed" as const, result }),
    onFailure: (cause) =>
      Effect.as(
        Effect.forEach(Cause.defects(cause), (defect) =>
          Effect.logError("Processing a cohort failed", {
            defect: defect instanceof Error ? defect.name : typeof defect
          })),
        { status: "failed" as const, failure_reason: failureReason(cause) }
      )
  })

/** Lists of people to call, for deployments and campaigns alike (shapes 4). */
export class Cohorts extends Context.Tag("@trunkline/cohorts/Cohorts")<Cohorts, {
  /**
   * Adds the people of a CSV file. The name, the transformation and the header are checked first; once they fit, the
   * cohort exists, and whatever goes wrong from there on makes it `failed` with a `failure_reason`. Answers when the
   * processing has ended. `E` is what reading the file fails with.
   */
  readonly upload: <E>(
    scope: Scope,
    owner: CohortOwner,
    form: CohortUpload<E>
  ) => Effect.Effect<Cohort, NotFound | Invalid | RuleViolation | BodyTooLarge | E>
  readonly get: (scope: Scope, owner: CohortOwner, id: CohortId) => Effect.Effect<Cohort, NotFound>
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
  /** After a restart: cohorts whose processing was cut off become `failed`. Returns how many there were. */
  readonly settle: Effect.Effect<number>
  /** Removes the cohorts of an owner, their people and files. Files do not come back when a transaction is undone. */
  readonly removeOwner: (scope: Scope, owner: CohortOwner) => Effect.Effect<void>
}>() {
  /** Cohorts within other limits than `cohortLimits`. */
  static readonly layerWith = (changed: Partial<CohortLimits>) =>
    Layer.effect(
      Cohorts,
      Effect.gen(function*() {
        const limits = { ...cohortLimits, ...changed }
        const store = yield* CohortStore
        const files = yield* FileStore
        const owners = yield* CohortOwners
        const transactions = yield* Transactions
        const ids = yield* Ids

        const removeFiles = (id: CohortId) =>
          Effect.forEach(CohortFileType.literals, (type) => files.remove(fileKey(id, type)), { discard: true })

        const rowsOf = (id: CohortId) =>
          csvRows(Stream.unwrap(Effect.map(files.read(fileKey(id, "cohort")), Option.getOrElse(() => Stream.empty))))

        const keepFile = <E>(id: CohortId, file: Stream.Stream<Uint8Array, E>) =>
          files.write(fileKey(id, "cohort"), withinLimit(file, limits.bytes))

        const accept = (
          scope: Scope,
          owner: CohortOwner,
          accepted: Pick<Cohort, "cohort_id" | "created_by" | "name">
        ) =>
          transactions.run(Effect.gen(function*() {
            yield* owners.admit(scope, owner)
            yield* store.insert(scope, owner, processingCohort(accepted, yield* BusinessTime.date))
          }))

        const process = (
          scope: Scope,
          id: CohortId,
          { header, plan, transformation }: FittedFile & { readonly transformation: Uint8Array }
        ) =>
          Effect.gen(function*() {
            yield* files.write(fileKey(id, "cohort_transformation"), Stream.succeed(transformation))
            return yield* importRows({
              header,
              plan,
              rows: Stream.drop(rowsOf(id), 1),
              maxRows: limits.rows,
              keep: (users) =>
                transactions.run(store.addUsers(scope, id, users)).pipe(
                  Effect.filterOrFail(identity, () => new Stopped({ message: "The cohort was removed" }))
                ),
              reject: (file) => files.write(fileKey(id, "rejected_records"), file)
            })
          }).pipe(
            Effect.timeoutFail({
              duration: limits.processing,
              onTimeout: () => new Stopped({ message: "The processing took too long" })
            }),
            Effect.withSpan("Cohorts.process", { attributes: { cohort_id: id } })
          )

        const finish = (scope: Scope, owner: CohortOwner, id: CohortId) => (outcome: CohortOutcome) =>
          Effect.gen(function*() {
            const updated_at = yield* BusinessTime.date
            const cohort = yield* transactions.run(store.finish(scope, id, { ...outcome, updated_at }))
            if (Option.isNone(cohort)) {
              yield* removeFiles(id)
              return yield* new NotFound({ resource: owner.kind, id: owner.id })
            }
            if (outcome.status === "completed") yield* owners.completed(scope, owner)
            return cohort.value
          })

        const upload = Effect.fn("Cohorts.upload")(
          function*<E>(scope: Scope, owner: CohortOwner, form: CohortUpload<E>) {
            const terms = yield* owners.admit(scope, owner)
            const checked = checkForm(form, terms)
            if (Either.isLeft(checked)) {
              const inFile = yield* fileIssues(csvRows(withinLimit(form.file, limits.bytes)), terms)
              return yield* new Invalid({ issues: [...checked.left.issues, ...inFile] })
            }
            const { name, transformation } = checked.right
            const id = yield* ids.cohortId
            return yield* Effect.uninterruptibleMask((restore) =>
              restore(keepFile(id, form.file)).pipe(
                Effect.zipRight(restore(fitFile(rowsOf(id), { terms, transformation }))),
                Effect.tap(() => accept(scope, owner, { cohort_id: id, name, created_by: form.createdBy })),
                Effect.onError(() => removeFiles(id)),
                Effect.flatMap((fitted) =>
                  outcomeOf(restore(process(scope, id, { ...fitted, transformation: form.transformation })))
                ),
                Effect.flatMap(finish(scope, owner, id))
              )
            )
          }
        )

        const get = Effect.fn("Cohorts.get")(function*(scope: Scope, owner: CohortOwner, id: CohortId) {
          const found = yield* store.find(scope, owner, id)
          return yield* Effect.mapError(found, () => new NotFound({ resource: "cohort", id }))
        })

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
            const bytes = yield* Effect.flatten(files.read(fileKey(id, type))).pipe(
              Effect.mapError(() => new NotFound({ resource: "cohort file", id }))
            )
            return { ...fileDescription(id, type), bytes }
          }
        )

        const removeOwner = Effect.fn("Cohorts.removeOwner")(function*(scope: Scope, owner: CohortOwner) {
          const removed = yield* transactions.run(store.removeOwner(scope, owner))
          yield* Effect.forEach(removed, removeFiles, { discard: true })
        })

        const settle = Effect.gen(function*() {
          const unfinished = yield* store.unfinished
          const updated_at = yield* BusinessTime.date
          yield* Effect.forEach(
            unfinished,
            ({ cohort_id, scope }) =>
              transactions.run(
                store.finish(scope, cohort_id, { status: "failed", failure_reason: cutOff, updated_at })
              ),
            {
              discard: true
            }
          )
          return unfinished.length
        }).pipe(Effect.withSpan("Cohorts.settle"))

        return Cohorts.of({ upload, get, list, file, settle, removeOwner })
      })
    )

  /** Cohorts within `cohortLimits`. */
  static readonly layer = Cohorts.layerWith({})

  /** Cohorts that live in memory, with the stores they live in: for scripts. */
  static readonly layerMemory = Layer.provideMerge(
    Cohorts.layer,
    Layer.mergeAll(
      CohortStore.layerMemory,
      FileStore.layerMemory,
      CohortOwners.layerMemory,
      Transactions.layerMemory,
      Ids.layer
    )
  )
}
