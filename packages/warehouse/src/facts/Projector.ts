import { type Scope, scopeKey, steadily } from "@trunkline/kernel"
import { Context, Duration, Effect, FiberSet, Layer, Option, Queue, Stream } from "effect"
import { type Change, Warehouse } from "../Warehouse.js"
import { FactsLog, type LoggedFact } from "./FactsLog.js"
import { Names } from "./Names.js"

/** How many entries are applied as one: few, since reading and sending them is work of the event loop. */
const batchSize = 200

/** How many workspaces are worked on at once. */
const workspacesAtOnce = 4

/** How facts are moved. */
export interface ProjectorOptions {
  /** How long to wait for more after something new, so that busy hours move many at once; default 100 ms. */
  readonly gather?: Duration.DurationInput
  /** How often to look for what nobody told of, such as what other processes logged; default 5 minutes. */
  readonly pollInterval?: Duration.DurationInput
}

/**
 * Moves facts from the log into the warehouse, each workspace for itself, in order and exactly once in effect: where a
 * warehouse stands is written with the facts. Runs in real time.
 */
export class Projector extends Context.Tag("@trunkline/warehouse/Projector")<Projector, {
  /** Moves until it is interrupted. */
  readonly run: Effect.Effect<never>
  /** Says that the log of a workspace has something new: call it after the commit. */
  readonly nudge: (scope: Scope) => Effect.Effect<void>
  /** Moves all that a workspace's log holds now. */
  readonly catchUp: (scope: Scope) => Effect.Effect<void>
  /** Forgets a workspace's facts and moves them anew from the whole log, with the names of today. */
  readonly rebuild: (scope: Scope) => Effect.Effect<void>
}>() {
  static readonly layer = (options: ProjectorOptions = {}) =>
    Layer.scoped(
      Projector,
      Effect.gen(function*() {
        const { gather = Duration.millis(100), pollInterval = Duration.minutes(5) } = options
        const log = yield* FactsLog
        const warehouse = yield* Warehouse
        const names = yield* Names
        const news = yield* Queue.unbounded<Scope>()
        const moves = yield* FiberSet.make()
        const places = yield* Effect.makeSemaphore(workspacesAtOnce)
        const moving = new Set<string>()
        const missed = new Set<string>()

        const named = (scope: Scope, { attempt_id, fact }: LoggedFact): Effect.Effect<Change> =>
          fact === null
            ? Effect.succeed({ attempt_id, fact })
            : Effect.map(names.of(scope, fact), (names) => ({ attempt_id, fact: { ...fact, ...names } }))

        /** A warehouse that stands beyond the log belongs to another log, such as that of before a backup was restored. */
        const atEnd = (scope: Scope, from: number): Effect.Effect<void> =>
          Effect.flatMap(log.end(scope), (end) =>
            from > end ? Effect.zipRight(warehouse.clear(scope), move(scope, 0)) : warehouse.filled(scope))

        const move = (scope: Scope, from: number): Effect.Effect<void> =>
          Effect.gen(function*() {
            const entries = yield* log.read(scope, { after: from, limit: batchSize })
            const last = entries.at(-1)
            if (last === undefined) {
              return yield* atEnd(scope, from)
            }
            const changes = yield* Effect.forEach(entries, (entry) =>
              named(scope, entry))
            yield* move(scope, yield* warehouse.apply(scope, { from, to: last.seq, changes }))
          })

        const catchUp = Effect.fn("Projector.catchUp")((scope: Scope) =>
          Effect.flatMap(warehouse.watermark(scope), (at) => move(scope, at))
        )

        const attend = (scope: Scope) =>
          places.withPermits(1)(catchUp(scope)).pipe(
            Effect.delay(gather),
            steadily({
              message: "Facts could not be moved to the warehouse",
              first: "250 millis",
              longest: "30 seconds"
            })
          )

        /** News of a workspace that is being attended to may have come too late for that: it is attended to again. */
        const begin = (scope: Scope): Effect.Effect<void> =>
          Effect.suspend(() => {
            const key = scopeKey(scope)
            if (moving.has(key)) return Effect.sync(() => void missed.add(key))
            moving.add(key)
            const next = Effect.suspend(() => {
              moving.delete(key)
              return missed.delete(key) ? begin(scope) : Effect.void
            })
            return Effect.asVoid(FiberSet.run(moves, Effect.zipRight(attend(scope), next)))
          })

        const everywhere = Effect.flatMap(log.workspaces, (scopes) => Effect.forEach(scopes, begin, { discard: true }))

        const step = Effect.flatMap(
          Effect.timeoutOption(Queue.take(news), pollInterval),
          Option.match({ onNone: () => everywhere, onSome: begin })
        )

        return Projector.of({
          run: Effect.zipRight(
            everywhere,
            Effect.all([Stream.runForEach(warehouse.lost, begin), Effect.forever(step)], {
              concurrency: 2,
              discard: true
            })
          ).pipe(Effect.zipRight(Effect.never)),
          nudge: (scope) => Effect.asVoid(Queue.offer(news, scope)),
          catchUp,
          rebuild: (scope) => Effect.zipRight(warehouse.clear(scope), catchUp(scope))
        })
      })
    )
}
