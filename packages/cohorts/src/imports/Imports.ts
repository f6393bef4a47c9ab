import {
  Bus,
  BusinessTime,
  type CohortId,
  describeCause,
  macroTask,
  Processes,
  retryForever,
  scopeKey,
  Transactions
} from "@trunkline/kernel"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, PubSub, Queue, RcMap, type Scope } from "effect"
import type { CohortResult } from "../Cohort.js"
import { type CohortLimits, CurrentCohortLimits } from "../CohortLimits.js"
import { CohortOwners } from "../CohortOwners.js"
import { makeCohortFiles } from "../files/CohortFiles.js"
import type { CohortOutcome, PendingCohort } from "../store/CohortRecords.js"
import { CohortStore } from "../store/CohortStore.js"
import { makeFileFetcher } from "./FileDownload.js"
import { Importer } from "./Importer.js"
import { countImport } from "./ImportMeters.js"
import { ImportFailed } from "./StoredFile.js"

/** Resumes an import once after a defect, whose cause may have passed. */
const retryDefectOnce = (run: Effect.Effect<CohortResult, ImportFailed>): Effect.Effect<CohortResult, ImportFailed> =>
  Effect.catchAllCause(
    run,
    (cause) => Cause.isDie(cause) && !Cause.isInterrupted(cause) ? run : Effect.failCause(cause)
  )

/** The outcome of a processing. Logs only the kind of a defect, because its text may hold personal data. */
const toOutcome = (exit: Exit.Exit<CohortResult, ImportFailed>): Effect.Effect<CohortOutcome> =>
  Exit.match(exit, {
    onSuccess: (result) => Effect.succeed({ status: "completed" as const, result }),
    onFailure: (cause) =>
      Option.match(Cause.failureOption(cause), {
        onSome: ({ message }) => Effect.succeed({ status: "failed" as const, failure_reason: message }),
        onNone: () =>
          Effect.as(Effect.logError("Processing a cohort failed", describeCause(cause)), {
            status: "failed" as const,
            failure_reason: "The cohort could not be stored"
          })
      })
  })

/** Semaphores for concurrent downloads and imports. */
interface Semaphores {
  readonly downloads: Effect.Semaphore
  readonly imports: Effect.Semaphore
}

const makeSemaphores = ({ downloads, imports }: Pick<CohortLimits, keyof Semaphores>): Effect.Effect<Semaphores> =>
  Effect.all({ downloads: Effect.makeSemaphore(downloads), imports: Effect.makeSemaphore(imports) })

/** Permits of a workspace, so that its slow downloads do not delay others, and its imports keep their order. */
const workspaceLimits = { downloads: 2, imports: 1 } as const

/** True unless this process leaves imports to others that share its stores and files. */
export class ImportsHere extends Context.Reference<ImportsHere>()("@trunkline/cohorts/ImportsHere", {
  defaultValue: () => true
}) {}

/** Topic of the hint that a cohort waits for a process that imports. */
const acceptedTopic = "cohort-accepted"

/**
 * Processes accepted cohorts in the background: those of this run, and those that another one left in `processing`. The
 * cohorts of a workspace are imported in the order of acceptance, or of the end of their download.
 */
export class Imports extends Context.Tag("@trunkline/cohorts/Imports")<Imports, {
  /** Stores an accepted cohort, in its transaction: for this process, or for those that import. */
  readonly insert: (acceptedCohort: PendingCohort) => Effect.Effect<void>
  /** Queues a stored cohort, or tells the processes that import. */
  readonly add: (acceptedCohort: PendingCohort) => Effect.Effect<void>
  /** Subscribes to the ids of cohorts whose processing ends, with any outcome. */
  readonly subscribeToEnds: Effect.Effect<Queue.Dequeue<CohortId>, never, Scope.Scope>
  /** Marks a cohort as being received while the scope is open, so that its files are not deleted as abandoned. */
  readonly keepFiles: (id: CohortId) => Effect.Effect<void, never, Scope.Scope>
  /** Requests the deletion of the users and files of removed cohorts. */
  readonly sweep: Effect.Effect<void>
}>() {
  /**
   * Works while the layer lives; interrupted processing resumes at the next start. Unless it imports here, it only deletes
   * what this process has removed.
   */
  static readonly layer = Layer.scoped(
    Imports,
    Effect.gen(function*() {
      const bus = yield* Bus
      const importsHere = yield* ImportsHere
      const store = yield* CohortStore
      const files = yield* makeCohortFiles
      const owners = yield* CohortOwners
      const transactions = yield* Transactions
      const importer = yield* Importer
      const fetchFile = yield* makeFileFetcher
      const limits = yield* CurrentCohortLimits
      const serverPermits = yield* makeSemaphores(limits)
      const workspaces = yield* RcMap.make({ lookup: (_scope: string) => makeSemaphores(workspaceLimits) })
      const acceptedQueue = yield* Queue.unbounded<PendingCohort>()
      const receiving = new Set<CohortId>()
      const ends = yield* PubSub.unbounded<CohortId>()
      const sweepRequests = yield* Queue.sliding<void>(1)
      const sweep = Effect.asVoid(Queue.offer(sweepRequests, undefined))

      /** Runs work with a permit of the workspace, and then of the server. */
      const withPermit = <A, E>(kind: keyof Semaphores, { scope }: PendingCohort, work: Effect.Effect<A, E>) =>
        Effect.scoped(Effect.flatMap(
          RcMap.get(workspaces, scopeKey(scope)),
          (workspace) => workspace[kind].withPermits(1)(serverPermits[kind].withPermits(1)(work))
        ))

      const download = (pending: PendingCohort) =>
        pending.source_url === null
          ? Effect.void
          : withPermit("downloads", pending, fetchFile(pending, pending.source_url))

      const importFile = (pending: PendingCohort) =>
        withPermit(
          "imports",
          pending,
          Effect.timeoutFail(
            retryDefectOnce(importer.run({ scope: pending.scope, cohort_id: pending.cohort.cohort_id })),
            {
              duration: limits.processing,
              onTimeout: () => new ImportFailed({ message: "The processing took too long" })
            }
          )
        )

      /** Idempotent: a second run notifies the owner again, and changes nothing else. */
      const finish = ({ cohort: { cohort_id }, owner, scope }: PendingCohort, outcome: CohortOutcome) =>
        Effect.gen(function*() {
          const updated_at = yield* BusinessTime.date
          yield* transactions.run(store.finish(scope, cohort_id, { ...outcome, updated_at }))
          const cohort = yield* store.find(scope, owner, cohort_id)
          if (Option.isNone(cohort)) yield* files.remove(cohort_id)
          if (Option.exists(cohort, ({ status }) => status === "completed")) yield* owners.completed(scope, owner)
          countImport(outcome)
          yield* PubSub.publish(ends, cohort_id)
          yield* sweep
        })

      /** Interrupted processing resumes at the next start; finishing is retried until it succeeds. */
      const process = (pending: PendingCohort) =>
        Effect.zipRight(download(pending), importFile(pending)).pipe(
          Effect.exit,
          Effect.flatMap(toOutcome),
          Effect.flatMap((outcome) =>
            retryForever({
              message: "A cohort could not be finished; retrying",
              initialDelay: "1 second",
              maxDelay: "1 minute"
            })(finish(pending, outcome))
          ),
          Effect.withSpan("Imports.process", { attributes: { cohort_id: pending.cohort.cohort_id } })
        )

      /**
       * Expected cohorts that were neither accepted nor are being received. They are read again after the look at those that
       * are being received, since one may have been accepted, and so is no longer received, after the first reading.
       */
      const abandonedIds = Effect.flatMap(store.expectedIds, (ids) => {
        const unknownCohortIds = new Set(ids.filter((id) => !receiving.has(id)))
        return unknownCohortIds.size === 0
          ? Effect.succeed([])
          : Effect.map(store.expectedIds, (ids) => ids.filter((id) => unknownCohortIds.has(id)))
      })

      const removeAbandoned = Effect.flatMap(
        abandonedIds,
        (ids) => Effect.forEach(ids, (id) => Effect.zipRight(files.remove(id), store.unexpect(id)), { discard: true })
      )

      const sweeping = Queue.take(sweepRequests).pipe(
        Effect.zipRight(
          Effect.zipRight(
            removeAbandoned,
            Effect.repeat(Effect.zipLeft(store.sweep, macroTask), { while: (more) => more })
          ).pipe(
            retryForever({
              message: "Users and files of removed cohorts could not be deleted; retrying",
              initialDelay: "1 second",
              maxDelay: "1 minute"
            })
          )
        ),
        Effect.forever
      )

      const adopt = Effect.flatMap(store.adopt, (cohorts) => Queue.offerAll(acceptedQueue, cohorts))

      /** Takes over, again and again, the imports of processes that are gone, or that leave them to others. */
      const adoptForever = (pollEvery: Duration.Duration) =>
        Effect.flatMap(
          bus.subscribe(acceptedTopic),
          (news) =>
            Effect.zipRight(Effect.raceFirst(Effect.sleep(pollEvery), news), adopt).pipe(
              retryForever({
                message: "Imports of other processes could not be adopted; retrying",
                initialDelay: "1 second",
                maxDelay: "1 minute"
              }),
              Effect.forever,
              Effect.interruptible,
              Effect.forkScoped
            )
        )

      if (importsHere) {
        yield* removeAbandoned
        const { pollEvery } = yield* Processes
        if (Duration.isFinite(pollEvery)) yield* adoptForever(pollEvery)
        yield* adopt
        yield* sweep
      }
      yield* Effect.forkScoped(Effect.interruptible(sweeping))
      yield* Queue.take(acceptedQueue).pipe(
        Effect.flatMap((pending) => Effect.forkScoped(process(pending))),
        Effect.forever,
        Effect.scoped,
        Effect.interruptible,
        Effect.forkScoped
      )

      return Imports.of({
        insert: importsHere ? store.insert : store.insertForOthers,
        add: (pending) => importsHere ? Effect.asVoid(Queue.offer(acceptedQueue, pending)) : bus.publish(acceptedTopic),
        subscribeToEnds: PubSub.subscribe(ends),
        keepFiles: (id) =>
          Effect.acquireRelease(Effect.sync(() => receiving.add(id)), () => Effect.sync(() => receiving.delete(id))),
        sweep
      })
    })
  )
}
