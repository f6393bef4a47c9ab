import {
  BusinessTime,
  type CohortId,
  describeCause,
  macroTask,
  scopeKey,
  steadily,
  Transactions
} from "@trunkline/kernel"
import { Cause, Context, Effect, Exit, Layer, Option, PubSub, Queue, RcMap, type Scope } from "effect"
import type { CohortResult } from "../Cohort.js"
import { type CohortLimits, CurrentCohortLimits } from "../CohortLimits.js"
import { CohortOwners } from "../CohortOwners.js"
import { cohortFiles } from "../files/CohortFiles.js"
import { CohortStore } from "../store/CohortStore.js"
import type { CohortOutcome, PendingCohort } from "../store/PendingCohort.js"
import { fetchFile } from "./FetchFile.js"
import { Importer } from "./Importer.js"
import { ImportFailed } from "./ImportFailed.js"

/** Goes on with an import that broke, once: what it kept is not lost, and what it broke on may have passed. */
const onceMore = (run: Effect.Effect<CohortResult, ImportFailed>): Effect.Effect<CohortResult, ImportFailed> =>
  Effect.catchAllCause(
    run,
    (cause) => Cause.isDie(cause) && !Cause.isInterrupted(cause) ? run : Effect.failCause(cause)
  )

/** How a processing ended. Only the kind of a defect is logged: its text may hold people's data. */
const outcomeOf = (exit: Exit.Exit<CohortResult, ImportFailed>): Effect.Effect<CohortOutcome> =>
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

/** How many files are fetched, and read, at the same time. */
interface Rooms {
  readonly downloads: Effect.Semaphore
  readonly imports: Effect.Semaphore
}

const rooms = ({ downloads, imports }: Pick<CohortLimits, keyof Rooms>): Effect.Effect<Rooms> =>
  Effect.all({ downloads: Effect.makeSemaphore(downloads), imports: Effect.makeSemaphore(imports) })

/** A workspace's share: so that slow servers of one cannot hold up the others, and its imports keep their order. */
const ofWorkspace = { downloads: 2, imports: 1 } as const

/**
 * Brings every accepted cohort to its end, in the background: those of this run, and those that a stop or a crash left
 * in `processing`. A workspace's cohorts follow each other in the order in which they were accepted; one that has to be
 * fetched follows when it is.
 */
export class Imports extends Context.Tag("@trunkline/cohorts/Imports")<Imports, {
  /** Takes on a cohort that was accepted. */
  readonly add: (accepted: PendingCohort) => Effect.Effect<void>
  /** Hears of every cohort whose processing ends from now on, however it ends. */
  readonly ended: Effect.Effect<Queue.Dequeue<CohortId>, never, Scope.Scope>
  /** Marks a cohort whose files are being received, for as long as the scope lasts: they are nobody's yet, but not lost. */
  readonly receiving: (id: CohortId) => Effect.Effect<void, never, Scope.Scope>
  /** Lets the people and files that removed cohorts left behind be dropped. */
  readonly sweep: Effect.Effect<void>
}>() {
  /** Works for as long as the layer lives; what it is interrupted in goes on at the next start. */
  static readonly layer = Layer.scoped(
    Imports,
    Effect.gen(function*() {
      const store = yield* CohortStore
      const files = yield* cohortFiles
      const owners = yield* CohortOwners
      const transactions = yield* Transactions
      const importer = yield* Importer
      const bring = yield* fetchFile
      const limits = yield* CurrentCohortLimits
      const server = yield* rooms(limits)
      const workspaces = yield* RcMap.make({ lookup: (_scope: string) => rooms(ofWorkspace) })
      const accepted = yield* Queue.unbounded<PendingCohort>()
      const receiving = new Set<CohortId>()
      const ended = yield* PubSub.unbounded<CohortId>()
      const left = yield* Queue.sliding<void>(1)
      const sweep = Effect.asVoid(Queue.offer(left, undefined))

      /** Does some work when the workspace and then the server have room for it. */
      const withRoom = <A, E>(kind: keyof Rooms, { scope }: PendingCohort, work: Effect.Effect<A, E>) =>
        Effect.scoped(Effect.flatMap(
          RcMap.get(workspaces, scopeKey(scope)),
          (workspace) => workspace[kind].withPermits(1)(server[kind].withPermits(1)(work))
        ))

      const fetched = (pending: PendingCohort) =>
        pending.source_url === null
          ? Effect.void
          : withRoom("downloads", pending, bring(pending, pending.source_url))

      const imported = (pending: PendingCohort) =>
        withRoom(
          "imports",
          pending,
          Effect.timeoutFail(onceMore(importer.run({ scope: pending.scope, cohort_id: pending.cohort.cohort_id })), {
            duration: limits.processing,
            onTimeout: () => new ImportFailed({ message: "The processing took too long" })
          })
        )

      /** Finishing twice is as finishing once: what is over already is told to its owner again. */
      const finish = ({ cohort: { cohort_id }, owner, scope }: PendingCohort, outcome: CohortOutcome) =>
        Effect.gen(function*() {
          const updated_at = yield* BusinessTime.date
          yield* transactions.run(store.finish(scope, cohort_id, { ...outcome, updated_at }))
          const cohort = yield* store.find(scope, owner, cohort_id)
          if (Option.isNone(cohort)) yield* files.remove(cohort_id)
          if (Option.exists(cohort, ({ status }) => status === "completed")) yield* owners.completed(scope, owner)
          yield* PubSub.publish(ended, cohort_id)
          yield* sweep
        })

      /** What is interrupted stays as it is, and goes on at the next start; an end that stumbles is tried again. */
      const process = (pending: PendingCohort) =>
        Effect.zipRight(fetched(pending), imported(pending)).pipe(
          Effect.exit,
          Effect.flatMap(outcomeOf),
          Effect.flatMap((outcome) =>
            steadily({
              message: "A cohort could not be finished; trying again",
              first: "1 second",
              longest: "1 minute"
            })(finish(pending, outcome))
          ),
          Effect.withSpan("Imports.process", { attributes: { cohort_id: pending.cohort.cohort_id } })
        )

      /** Those who were expected, and neither came nor are being received: nobody can be accepted while it is asked. */
      const abandoned = transactions.run(Effect.map(store.expected, (ids) => ids.filter((id) => !receiving.has(id))))

      const dropAbandoned = Effect.flatMap(
        abandoned,
        (ids) => Effect.forEach(ids, (id) => Effect.zipRight(files.remove(id), store.unexpect(id)), { discard: true })
      )

      const sweeping = Queue.take(left).pipe(
        Effect.zipRight(
          Effect.zipRight(
            dropAbandoned,
            Effect.repeat(Effect.zipLeft(store.sweep, macroTask), { while: (more) => more })
          ).pipe(
            steadily({ message: "Dropping what cohorts left stumbled", first: "1 second", longest: "1 minute" })
          )
        ),
        Effect.forever
      )

      yield* dropAbandoned
      yield* Queue.offerAll(accepted, yield* store.pending)
      yield* sweep
      yield* Effect.forkScoped(Effect.interruptible(sweeping))
      yield* Queue.take(accepted).pipe(
        Effect.flatMap((pending) => Effect.forkScoped(process(pending))),
        Effect.forever,
        Effect.scoped,
        Effect.interruptible,
        Effect.forkScoped
      )

      return Imports.of({
        add: (pending) => Effect.asVoid(Queue.offer(accepted, pending)),
        ended: PubSub.subscribe(ended),
        receiving: (id) =>
          Effect.acquireRelease(Effect.sync(() => receiving.add(id)), () => Effect.sync(() => receiving.delete(id))),
        sweep
      })
    })
  )
}
