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
import { CurrentCohortLimits } from "../CohortLimits.js"
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

/**
 * Brings every accepted cohort to its end, in the background: those of this run, and those that a stop or a crash left
 * in `processing`. A workspace's cohorts follow each other in the order in which they were accepted.
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
      const downloads = yield* Effect.makeSemaphore(limits.downloads)
      const imports = yield* Effect.makeSemaphore(limits.imports)
      const workspaces = yield* RcMap.make({ lookup: (_scope: string) => Effect.makeSemaphore(1) })
      const accepted = yield* Queue.unbounded<PendingCohort>()
      const receiving = new Set<CohortId>()
      const ended = yield* PubSub.unbounded<CohortId>()
      const left = yield* Queue.sliding<void>(1)
      const sweep = Effect.asVoid(Queue.offer(left, undefined))

      const fetched = (pending: PendingCohort) =>
        pending.source_url === null ? Effect.void : downloads.withPermits(1)(bring(pending, pending.source_url))

      const imported = ({ cohort: { cohort_id }, scope }: PendingCohort) =>
        imports.withPermits(1)(
          Effect.timeoutFail(onceMore(importer.run({ scope, cohort_id })), {
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

      const inTurn = <A, E>(scope: PendingCohort["scope"], effect: Effect.Effect<A, E>) =>
        Effect.scoped(Effect.flatMap(
          RcMap.get(workspaces, scopeKey(scope)),
          (workspace) => workspace.withPermits(1)(effect)
        ))

      /** Uninterruptible where it finishes; interrupted before that, the cohort stays as it is. */
      const process = (pending: PendingCohort) =>
        Effect.uninterruptibleMask((restore) =>
          restore(Effect.zipRight(fetched(pending), inTurn(pending.scope, imported(pending)))).pipe(
            Effect.exit,
            Effect.tap(restore(Effect.yieldNow())),
            Effect.flatMap(outcomeOf),
            Effect.flatMap((outcome) => finish(pending, outcome))
          )
        ).pipe(
          Effect.withSpan("Imports.process", { attributes: { cohort_id: pending.cohort.cohort_id } }),
          steadily({ message: "A cohort could not be finished; trying again", first: "1 second", longest: "1 minute" })
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
