import { type Ids, type Scope, scopeKey, Transactions } from "@trunkline/kernel"
import { Clock, type Context, DateTime, Duration, Effect, Either, Option } from "effect"
import { type Figure, isWidgetFailure, type Report, ReportSource, type WidgetReport } from "../reports/Report.js"
import { figureOf } from "../reports/Summary.js"
import { NotificationRule } from "../rules/NotificationRule.js"
import { type Delivery, newDeliveries } from "../store/Delivery.js"
import type { NotificationRun } from "../store/NotificationRun.js"
import { NotificationStore } from "../store/NotificationStore.js"

/**
 * Runs that a process executes concurrently per workspace, so that reports leave capacity to interactive users and to
 * other workspaces.
 */
const maxReportsPerWorkspace = 1

/** Runs to claim next: at most `limit`, excluding some workspaces. */
interface ClaimScope {
  readonly limit: number
  readonly exceptScopes: ReadonlyArray<Scope>
}

/** Runs to claim next while `running` are executed, of at most `total`; excludes workspaces at their limit. */
export const nextClaimScope = (running: ReadonlyArray<NotificationRun>, total: number): ClaimScope => {
  const scopes = new Map(running.map(({ scope }) => [scopeKey(scope), scope]))
  const runningOf = (key: string) => running.filter(({ scope }) => scopeKey(scope) === key).length
  const full = [...scopes].filter(([key]) => runningOf(key) >= maxReportsPerWorkspace)
  const busiest = Math.max(0, ...[...scopes.keys()].map(runningOf).filter((count) => count < maxReportsPerWorkspace))
  return {
    limit: Math.max(0, Math.min(total - running.length, maxReportsPerWorkspace - busiest)),
    exceptScopes: full.map(([, scope]) => scope)
  }
}

/** Most times a run is started; it fails when interrupted again. */
const maxClaims = 2

/** Most characters of a stored result, as JSON; further rows are dropped and the result is marked as truncated. */
const maxReportCharacters = 8_000_000

/** Well below a lease, and well above the 15 seconds of a query plus its time in the queue. */
const reportTimeout = Duration.minutes(2)

/** Time for which a run waits for a busy warehouse, in real time since its first claim; then it reports the failure. */
const maxBusyTime = Duration.minutes(30)

const firstBusyDelay = Duration.toMillis("10 seconds")
const maxBusyDelay = Duration.toMillis("60 seconds")

/** Delay in milliseconds before retrying on a busy warehouse, by number of earlier releases. */
const busyDelay = (releases: number): number => Math.min(firstBusyDelay * 2 ** releases, maxBusyDelay)

/** End of a run without a report. */
interface Ending {
  readonly state: "cancelled" | "failed"
  readonly last_error: string
}

const ruleDisabled: Ending = { state: "cancelled", last_error: "The rule was disabled before its report was made" }
const widgetRemoved: Ending = { state: "cancelled", last_error: "The widget was removed before its report was made" }
const interruptedEnding: Ending = { state: "failed", last_error: "Making the report was interrupted twice" }
const timedOut: Ending = { state: "failed", last_error: "The widget gave no result in time" }

const isBusy = ({ outcome }: WidgetReport) => isWidgetFailure(outcome) && outcome.code === "RATE_LIMITED"

/** Truncates a result to the maximum stored size. */
const truncateOutcome = (outcome: Report["outcome"]): Report["outcome"] => {
  if (isWidgetFailure(outcome)) return outcome
  let budget = maxReportCharacters
  const end = outcome.rows.findIndex((row) => {
    budget -= JSON.stringify(row).length + 1
    return budget < 0
  })
  return end < 0 ? outcome : { ...outcome, rows: outcome.rows.slice(0, end), truncated: true }
}

const outcomeFields = (outcome: Report["outcome"]): Pick<Delivery, "error_code" | "rows" | "truncated"> =>
  isWidgetFailure(outcome)
    ? { rows: null, truncated: null, error_code: outcome.code }
    : { rows: outcome.rows.length, truncated: outcome.truncated, error_code: null }

/**
 * Creates the function that processes a claimed run: it runs the widget once and stores the result, up to 8 MB, until
 * all deliveries have ended, so that every attempt of every channel sends the same report. When the warehouse is busy
 * the run is released and retried after 10 seconds, doubling up to 60.
 */
export const makeReportRunner = (ids: Context.Tag.Service<typeof Ids>) =>
  Effect.gen(function*() {
    const store = yield* NotificationStore
    const widgets = yield* ReportSource
    const transactions = yield* Transactions

    /** Ends a run that has no report. */
    const finishWithoutReport = (rule: NotificationRule, run: NotificationRun, ending: Ending) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        if (!(yield* store.settleRun({ ...run, state: ending.state }, null))) return
        yield* store.insertDeliveries(yield* newDeliveries(rule, run, { ...ending, finished_at: now }, ids))
      }).pipe(transactions.run)

    /** Keeps the number of a report for the next one, in the rule as it is by then. */
    const keepFigure = (run: NotificationRun, figure: Figure) =>
      Effect.flatMap(store.findRule(run.scope, run.rule_id), (rule) =>
        Option.isNone(rule)
          ? Effect.void
          : store.putRule(run.scope, new NotificationRule({ ...rule.value, last_figure: figure })))

    const storeReport = (rule: NotificationRule, run: NotificationRun, report: Report) =>
      Effect.gen(function*() {
        if (!(yield* store.settleRun({ ...run, state: "sending" }, report))) return
        const figure = figureOf(report)
        if (figure !== null) yield* keepFigure(run, figure)
        const deliveries = yield* newDeliveries(rule, run, { state: "pending", ...outcomeFields(report.outcome) }, ids)
        yield* store.insertDeliveries(deliveries)
      }).pipe(transactions.run)

    return Effect.fn("NotificationDelivery.report")(function*(run: NotificationRun) {
      const rule = yield* store.findRule(run.scope, run.rule_id)
      if (Option.isNone(rule)) return
      if (!rule.value.enabled) return yield* finishWithoutReport(rule.value, run, ruleDisabled)
      if (run.claims - run.releases > maxClaims) return yield* finishWithoutReport(rule.value, run, interruptedEnding)
      const { board_id, name, widget_id } = rule.value
      const result = yield* widgets.report(run.scope, board_id, widget_id).pipe(
        Effect.mapError(() => widgetRemoved),
        Effect.timeoutFail({ duration: reportTimeout, onTimeout: () => timedOut }),
        Effect.either
      )
      if (Either.isLeft(result)) return yield* finishWithoutReport(rule.value, run, result.left)
      const now = yield* Clock.currentTimeMillis
      if (isBusy(result.right) && now - (run.first_claimed_at ?? now) <= Duration.toMillis(maxBusyTime)) {
        return yield* store.releaseRun(run, now + busyDelay(run.releases))
      }
      yield* storeReport(rule.value, run, {
        ...result.right,
        outcome: truncateOutcome(result.right.outcome),
        rule_id: run.rule_id,
        run_id: run.run_id,
        rule_name: name,
        run_at: DateTime.unsafeMake(run.scheduled_for),
        ...(rule.value.last_figure && { last: rule.value.last_figure })
      })
    })
  })
