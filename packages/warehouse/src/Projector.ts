import { retryForever, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Duration, Effect, FiberSet, Layer, Option, Queue, Stream } from "effect"
import { FactNameLookup } from "./facts/Fact.js"
import { FactsLog, type LoggedFact } from "./facts/FactsLog.js"
import { type FactChange, Warehouse } from "./Warehouse.js"

/** Entries per batch; small, because reading and sending them runs on the event loop. */
const batchSize = 200

/** Workspaces that are processed concurrently. */
const maxConcurrentWorkspaces = 4

/** Options of the projector. */
export interface ProjectorOptions {
  /** Delay after a notification, so that busy periods move many facts per batch; default 100 ms. */
  readonly batchDelay?: Duration.DurationInput
  /** Interval of checking for facts logged by other processes; default 5 minutes. */
  readonly pollInterval?: Duration.DurationInput
}

/**
 * Moves facts from the log to the warehouse, per workspace, in order and effectively once: the watermark is written
 * with the facts. Runs in real time.
 */
export class Projector extends Context.Tag("@trunkline/warehouse/Projector")<Projector, {
  /** Moves facts until interrupted. */
  readonly run: Effect.Effect<never>
  /** Signals that the log of a workspace has new entries; call it after the commit. */
  readonly nudge: (scope: Scope) => Effect.Effect<void>
  /** Moves everything that a workspace's log holds now. */
  readonly catchUp: (scope: Scope) => Effect.Effect<void>
  /** Clears a workspace's facts and moves them again from the whole log, with current names. */
  readonly rebuild: (scope: Scope) => Effect.Effect<void>
}>() {
  /** A projector from the `FactsLog` to the `Warehouse`; call `run` to start it. */
  static readonly layer = (options: ProjectorOptions = {}) =>
    Layer.scoped(
      Projector,
      Effect.gen(function*() {
        const { batchDelay = Duration.millis(100), pollInterval = Duration.minutes(5) } = options
        const log = yield* FactsLog
        const warehouse = yield* Warehouse
        const names = yield* FactNameLookup
        const nudges = yield* Queue.unbounded<Scope>()
        const fibers = yield* FiberSet.make()
        const slots = yield* Effect.makeSemaphore(maxConcurrentWorkspaces)
        const active = new Set<string>()
        const pending = new Set<string>()

        const withNames = (scope: Scope, { attempt_id, fact }: LoggedFact): Effect.Effect<FactChange> =>
          fact === null
            ? Effect.succeed({ attempt_id, fact })
            : Effect.map(names.of(scope, fact), (names) => ({ attempt_id, fact: { ...fact, ...names } }))

        /**
         * A watermark beyond the end of the log comes from another log, such as before a restored backup: start over.
         */
        const finish = (scope: Scope, from: number): Effect.Effect<void> =>
          Effect.flatMap(log.end(scope), (end) =>
            from > end ? Effect.zipRight(warehouse.clear(scope), applyFrom(scope, 0)) : warehouse.markFilled(scope))

        const applyFrom = (scope: Scope, from: number): Effect.Effect<void> =>
          Effect.gen(function*() {
            const entries = yield* log.read(scope, { after: from, limit: batchSize })
            const last = entries.at(-1)
            if (last === undefined) {
              return yield* finish(scope, from)
            }
            const changes = yield* Effect.forEach(entries, (entry) =>
              withNames(scope, entry))
            yield* applyFrom(scope, yield* warehouse.apply(scope, { from, to: last.seq, changes }))
          })

        const catchUp = Effect.fn("Projector.catchUp")((scope: Scope) =>
          Effect.flatMap(warehouse.watermark(scope), (at) =>
            applyFrom(scope, at))
        )

        const project = (scope: Scope) =>
          slots.withPermits(1)(catchUp(scope)).pipe(
            Effect.delay(batchDelay),
            retryForever({
              message: "Facts could not be moved to the warehouse",
              initialDelay: "250 millis",
              maxDelay: "30 seconds"
            })
          )

        /** A nudge during processing may come too late for it, so the workspace is processed again. */
        const start = (scope: Scope): Effect.Effect<void> =>
          Effect.suspend(() => {
            const key = scopeKey(scope)
            if (active.has(key)) return Effect.sync(() => void pending.add(key))
            active.add(key)
            const next = Effect.suspend(() => {
              active.delete(key)
              return pending.delete(key) ? start(scope) : Effect.void
            })
            return Effect.asVoid(FiberSet.run(fibers, Effect.zipRight(project(scope), next)))
          })

        const startAll = Effect.flatMap(log.workspaces, (scopes) => Effect.forEach(scopes, start, { discard: true }))

        const step = Effect.flatMap(
          Effect.timeoutOption(Queue.take(nudges), pollInterval),
          Option.match({ onNone: () => startAll, onSome: start })
        )

        return Projector.of({
          run: Effect.zipRight(
            startAll,
            Effect.all([Stream.runForEach(warehouse.lostWorkspaces, start), Effect.forever(step)], {
              concurrency: 2,
              discard: true
            })
          ).pipe(Effect.zipRight(Effect.never)),
          nudge: (scope) => Effect.asVoid(Queue.offer(nudges, scope)),
          catchUp,
          rebuild: (scope) => Effect.zipRight(warehouse.clear(scope), catchUp(scope))
        })
      })
    )
}
