import { BusinessTime, describeCause, Ids, steadily, Transactions } from "@trunkline/kernel"
import { Cause, Clock, Context, Duration, Effect, Layer, Option, Queue } from "effect"
import { deliveriesOf } from "../delivery/NewDeliveries.js"
import { NotificationDelivery } from "../delivery/NotificationDelivery.js"
import { readCron } from "../rules/Cron.js"
import { type NotificationRun, RunId } from "./NotificationRun.js"
import { NotificationStore, type OwnedRule } from "./NotificationStore.js"

/** An occurrence that is later than this is not made up for (design: boards 6). */
export const MAX_LATENESS = Duration.minutes(60)

/** How many occurrences of a rule its history holds. */
export const KEPT_RUNS = 500

/** How many rules are looked at before looking again. */
const batch = 100

const pauseAfterDefect = Duration.seconds(5)

/** How rules are watched. */
export interface SchedulerOptions {
  /** How long, in real time, rules may go unlooked at, so that those of other processes are found; default 5 minutes. */
  readonly pollInterval?: Duration.DurationInput
}

/**
 * Decides every occurrence of every rule once, however many processes share the store, in business time.
 *
 * One decision for each, in one transaction with the move to the next: an occurrence is run, or, when nobody was there
 * for more than an hour, recorded as `skipped_missed`. Of several that were missed only the latest is considered, so
 * that a rule never bursts (design: boards 6).
 */
export class Scheduler extends Context.Tag("@trunkline/notifications/Scheduler")<Scheduler, {
  /** Decides until it is interrupted. */
  readonly run: Effect.Effect<never>
  /** Says that a rule may be due sooner than was known: call it after the commit. */
  readonly nudge: Effect.Effect<void>
}>() {
  static readonly layer = (
    options: SchedulerOptions = {}
  ): Layer.Layer<Scheduler, never, Ids | NotificationDelivery | NotificationStore | Transactions> =>
    Layer.effect(
      Scheduler,
      Effect.gen(function*() {
        const { pollInterval = Duration.minutes(5) } = options
        const store = yield* NotificationStore
        const delivery = yield* NotificationDelivery
        const transactions = yield* Transactions
        const ids = yield* Ids
        const wake = yield* Queue.sliding<void>(1)

        const record = Effect.fn("Scheduler.record")(function*({ rule, scope }: OwnedRule, at: number, late: number) {
          const state = late <= Duration.toMillis(MAX_LATENESS) ? "pending" : "skipped_missed"
          const run: NotificationRun = {
            run_id: RunId.make(yield* ids.uuid),
            rule_id: rule.rule_id,
            scope,
            scheduled_for: at,
            state,
            claims: 0,
            releases: 0,
            first_claimed_at: null,
            leased_until: 0
          }
          const isNew = yield* store.insertRun(run)
          if (isNew && state === "skipped_missed") {
            const now = yield* Clock.currentTimeMillis
            yield* store.insertDeliveries(yield* deliveriesOf(rule, run, { state, finished_at: now }, ids))
          }
          yield* store.keepRuns(rule.rule_id, KEPT_RUNS)
        })

        const decide = Effect.fn("Scheduler.decide")(function*(owned: OwnedRule) {
          const { cron, next_run_at, rule_id } = owned.rule
          if (next_run_at === null) return
          const now = yield* BusinessTime.now
          const from = next_run_at.epochMillis
          const times = Option.getRight(readCron(cron, now))
          const to = Option.getOrNull(Option.flatMap(times, ({ next }) => next(now)))
          if (!(yield* store.advance(rule_id, { from, to }))) return
          if (to === null) yield* Effect.logWarning("The cron of a notification rule never comes again")
          const latest = Option.getOrElse(Option.flatMap(times, ({ latest }) => latest(now)), () => from)
          const at = Math.max(from, latest)
          yield* record(owned, at, now - at)
        })

        /** Another rule's trouble is its own: true when all went well. */
        const decideOne = (owned: OwnedRule) =>
          transactions.run(decide(owned)).pipe(
            Effect.as(true),
            Effect.catchAllDefect((defect) =>
              Effect.as(
                Effect.logError(
                  "An occurrence of a notification rule was not decided",
                  describeCause(Cause.die(defect))
                ),
                false
              )
            ),
            Effect.annotateLogs({ rule_id: owned.rule.rule_id })
          )

        const pause = Effect.gen(function*() {
          const due = yield* store.nextRunAt
          yield* Effect.raceFirst(
            Option.match(due, { onNone: () => Effect.never, onSome: BusinessTime.sleepUntil }),
            Effect.timeoutOption(Queue.take(wake), pollInterval)
          )
        })

        const step = Effect.gen(function*() {
          const now = yield* BusinessTime.now
          const due = yield* store.dueRules({ now, limit: batch })
          const decided = yield* Effect.forEach(due, decideOne)
          if (due.length > 0) yield* delivery.nudge
          if (decided.includes(false)) yield* Effect.sleep(pauseAfterDefect)
          if (due.length === 0) yield* pause
        })

        return Scheduler.of({
          run: Effect.forever(step).pipe(steadily({
            message: "The notification rules cannot be read; trying again",
            first: "1 second",
            longest: "1 minute"
          })),
          nudge: Effect.asVoid(Queue.offer(wake, undefined))
        })
      })
    )
}
