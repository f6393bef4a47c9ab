import { type Ids, Transactions } from "@trunkline/kernel"
import { Clock, type Context, DateTime, Duration, Effect, Either, Option } from "effect"
import { isRunFailure, type Report } from "../reports/Report.js"
import type { NotificationRule } from "../rules/NotificationRule.js"
import { ReportedWidgets, type WidgetReport } from "../rules/ReportedWidgets.js"
import type { NotificationRun } from "../schedule/NotificationRun.js"
import { NotificationStore } from "../schedule/NotificationStore.js"
import type { Delivery } from "./Delivery.js"
import { deliveriesOf } from "./NewDeliveries.js"

/** A run is begun at most twice: a second interruption fails it (design: boards 6). */
export const MAX_CLAIMS = 2

/** How much of a result is kept for its deliveries, in characters of its JSON; further rows are dropped, and it says so. */
export const MAX_KEPT_CHARACTERS = 8_000_000

/** Well under a lease, and well over the 15 seconds of a query and its wait in the queue. */
const reportTimeout = Duration.minutes(2)

/** How long a run waits for room in the warehouse, in real time since it was first claimed; then its report tells of it. */
export const MAX_BUSY = Duration.minutes(30)

const firstBusyWait = Duration.toMillis("10 seconds")
const longestBusyWait = Duration.toMillis("60 seconds")

/** How long a warehouse without room is left alone by a run that was put back so often before, in milliseconds. */
const busyWait = (releases: number): number => Math.min(firstBusyWait * 2 ** releases, longestBusyWait)

/** How a run ends that has nothing to tell. */
interface Ending {
  readonly state: "cancelled" | "failed"
  readonly last_error: string
}

const disabled: Ending = { state: "cancelled", last_error: "The rule was disabled before its report was made" }
const gone: Ending = { state: "cancelled", last_error: "The widget was removed before its report was made" }
const interrupted: Ending = { state: "failed", last_error: "Making the report was interrupted twice" }
const late: Ending = { state: "failed", last_error: "The widget gave no result in time" }

const isBusy = ({ outcome }: WidgetReport) => isRunFailure(outcome) && outcome.code === "RATE_LIMITED"

/** A result of which not more is kept than may be. */
const bounded = (outcome: Report["outcome"]): Report["outcome"] => {
  if (isRunFailure(outcome)) return outcome
  let room = MAX_KEPT_CHARACTERS
  const end = outcome.rows.findIndex((row) => {
    room -= JSON.stringify(row).length + 1
    return room < 0
  })
  return end < 0 ? outcome : { ...outcome, rows: outcome.rows.slice(0, end), truncated: true }
}

const shapeOf = (outcome: Report["outcome"]): Pick<Delivery, "error_code" | "rows" | "truncated"> =>
  isRunFailure(outcome)
    ? { rows: null, truncated: null, error_code: outcome.code }
    : { rows: outcome.rows.length, truncated: outcome.truncated, error_code: null }

/**
 * Makes what is done with a claimed run: its widget is run once, and what it gave is kept with the run, up to 8 MB, until
 * all of its deliveries are over, so that every try of every channel tells the same and nothing is run again. A run that
 * finds no room in the warehouse is put back, to be claimed again after 10 seconds, twice as long each time up to 60.
 */
export const makeRunWork = (ids: Context.Tag.Service<typeof Ids>) =>
  Effect.gen(function*() {
    const store = yield* NotificationStore
    const widgets = yield* ReportedWidgets
    const transactions = yield* Transactions

    /** Ends a run before it had anything to tell. */
    const end = (rule: NotificationRule, run: NotificationRun, how: Ending) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        if (!(yield* store.settleRun({ ...run, state: how.state }, null))) return
        yield* store.insertDeliveries(yield* deliveriesOf(rule, run, { ...how, finished_at: now }, ids))
      }).pipe(transactions.run)

    const keep = (rule: NotificationRule, run: NotificationRun, report: Report) =>
      Effect.gen(function*() {
        if (!(yield* store.settleRun({ ...run, state: "sending" }, report))) return
        const deliveries = yield* deliveriesOf(rule, run, { state: "pending", ...shapeOf(report.outcome) }, ids)
        yield* store.insertDeliveries(deliveries)
      }).pipe(transactions.run)

    return Effect.fn("NotificationDelivery.report")(function*(run: NotificationRun) {
      const rule = yield* store.findRule(run.scope, run.rule_id)
      if (Option.isNone(rule)) return
      if (!rule.value.enabled) return yield* end(rule.value, run, disabled)
      if (run.claims - run.releases > MAX_CLAIMS) return yield* end(rule.value, run, interrupted)
      const { board_id, name, widget_id } = rule.value
      const told = yield* widgets.report(run.scope, board_id, widget_id).pipe(
        Effect.mapError(() => gone),
        Effect.timeoutFail({ duration: reportTimeout, onTimeout: () => late }),
        Effect.either
      )
      if (Either.isLeft(told)) return yield* end(rule.value, run, told.left)
      const now = yield* Clock.currentTimeMillis
      if (isBusy(told.right) && now - (run.first_claimed_at ?? now) <= Duration.toMillis(MAX_BUSY)) {
        return yield* store.releaseRun(run, now + busyWait(run.releases))
      }
      yield* keep(rule.value, run, {
        ...told.right,
        outcome: bounded(told.right.outcome),
        rule_id: run.rule_id,
        run_id: run.run_id,
        rule_name: name,
        run_at: DateTime.unsafeMake(run.scheduled_for)
      })
    })
  })
