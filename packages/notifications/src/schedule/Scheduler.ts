import { BusinessTime, describeCause, Ids, retryForever, Transactions } from "@trunkline/kernel"
import { Cause, Clock, Context, Duration, Effect, Layer, Option, Queue } from "effect"
import { NotificationDelivery } from "../delivery/NotificationDelivery.js"
import { parseCron } from "../rules/Cron.js"
import { newDeliveries } from "../store/Delivery.js"
import { type NotificationRun, type OwnedRule, RunId } from "../store/NotificationRun.js"
import { NotificationStore } from "../store/NotificationStore.js"

/** Occurrences later than this are skipped. */
const maxLateness = Duration.minutes(60)

/** Runs stored in the history of a rule. */
const maxRunsPerRule = 500

/** Rules processed per iteration. */
const batchSize = 100

const pauseAfterDefect = Duration.seconds(5)

/** Options of the scheduler. */
export interface SchedulerOptions {
  /** Interval in real time of checking for rules of other processes; default 5 minutes. */
  readonly pollInterval?: Duration.DurationInput
}

/**
 * Schedules every occurrence of every rule once, in business time, with any number of processes on one store.
 *
 * Each occurrence is decided in one transaction that also advances the rule: it is run, or recorded as `skipped_missed`
 * when no process was running for more than an hour. Of several missed occurrences only the latest is considered, so a
 * rule never bursts.
 */
export class Scheduler extends Context.Tag("@trunkline/notifications/Scheduler")<Scheduler, {
  /** Schedules until interrupted. */
  readonly run: Effect.Effect<never>
  /** Signals that a rule may be due earlier than known; call it after the commit. */
  readonly nudge: Effect.Effect<void>
}>() {
  /** A scheduler over the `NotificationStore`; run `run` once per process. */
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
          const state = late <= Duration.toMillis(maxLateness) ? "pending" : "skipped_missed"
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
            yield* store.insertDeliveries(yield* newDeliveries(rule, run, { state, finished_at: now }, ids))
          }
          yield* store.keepRuns(rule.rule_id, maxRunsPerRule)
        })

        const decide = Effect.fn("Scheduler.decide")(function*(ownedRule: OwnedRule) {
          const { cron, next_run_at, rule_id } = ownedRule.rule
          if (next_run_at === null) return
          const now = yield* BusinessTime.now
          const from = next_run_at.epochMillis
          const times = Option.getRight(parseCron(cron, now))
          const to = Option.getOrNull(Option.flatMap(times, ({ next }) => next(now)))
          if (!(yield* store.advance(rule_id, { from, to }))) return
          if (to === null) {
            yield* Effect.logWarning("The cron schedule of a notification rule has no further occurrence")
          }
          const latest = Option.getOrElse(Option.flatMap(times, ({ latest }) => latest(now)), () => from)
          const at = Math.max(from, latest)
          yield* record(ownedRule, at, now - at)
        })

        /** Isolates failures of a rule; returns false after one. */
        const decideOne = (ownedRule: OwnedRule) =>
          transactions.run(decide(ownedRule)).pipe(
            Effect.as(true),
            Effect.catchAllDefect((defect) =>
              Effect.as(
                Effect.logError(
                  "Failed to schedule an occurrence of a notification rule",
                  describeCause(Cause.die(defect))
                ),
                false
              )
            ),
            Effect.annotateLogs({ rule_id: ownedRule.rule.rule_id })
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
          const due = yield* store.dueRules({ now, limit: batchSize })
          const outcomes = yield* Effect.forEach(due, decideOne)
          if (due.length > 0) yield* delivery.nudge
          if (outcomes.includes(false)) yield* Effect.sleep(pauseAfterDefect)
          if (due.length === 0) yield* pause
        })

        return Scheduler.of({
          run: Effect.forever(step).pipe(retryForever({
            message: "Failed to read the notification rules; retrying",
            initialDelay: "1 second",
            maxDelay: "1 minute"
          })),
          nudge: Effect.asVoid(Queue.offer(wake, undefined))
        })
      })
    )
}
