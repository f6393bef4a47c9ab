import { OrgId, Scope, type Transactions, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"
import type { Report } from "../reports/Report.js"
import { NotificationRule, RuleId } from "../rules/NotificationRule.js"
import { type Delivery, DeliveryId } from "../store/Delivery.js"
import { type NotificationRun, RunId } from "../store/NotificationRun.js"
import { NotificationStore } from "../store/NotificationStore.js"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const otherScope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

export const board_id = "board-1"

/** Claims everything due, without a lease. */
export const claimAll = { now: 8_000_000_000_000, limit: 10_000, leaseMillis: 0, exceptScopes: [] }

let count = 0
const unique = (kind: string) => `${kind}-${String(++count).padStart(6, "0")}`

const ruleIds: Array<{ readonly scope: Scope; readonly id: RuleId }> = []

/** A new enabled rule, due at 1,000; later rules have larger ids. */
export const ruleOf = (change: Partial<NotificationRule> = {}): NotificationRule =>
  new NotificationRule({
    rule_id: RuleId.make(unique("rule")),
    board_id,
    widget_id: "widget-1",
    name: "Morning",
    cron: "0 9 * * *",
    enabled: true,
    email_recipients: ["asha@example.in"],
    sealed_slack_webhook: null,
    slack_channel_name: null,
    next_run_at: DateTime.unsafeMake(1_000),
    created_at: DateTime.unsafeMake(0),
    updated_at: DateTime.unsafeMake(0),
    ...change
  })

/** Stores a rule in the workspace. */
export const putRule = (
  rule: NotificationRule,
  owner = scope
): Effect.Effect<NotificationRule, never, NotificationStore> =>
  Effect.flatMap(NotificationStore, (store) => {
    ruleIds.push({ scope: owner, id: rule.rule_id })
    return Effect.as(store.putRule(owner, rule), rule)
  })

/** A new pending run of a rule. */
export const runOf = (rule_id: RuleId, change: Partial<NotificationRun> = {}): NotificationRun => ({
  run_id: RunId.make(unique("run")),
  rule_id,
  scope,
  scheduled_for: 1_000,
  state: "pending",
  claims: 0,
  releases: 0,
  first_claimed_at: null,
  leased_until: 0,
  ...change
})

/** A new pending mail delivery of a run. */
export const deliveryOf = (
  { rule_id, run_id, scheduled_for, scope }: NotificationRun,
  change: Partial<Delivery> = {}
): Delivery => ({
  delivery_id: DeliveryId.make(unique("delivery")),
  run_id,
  rule_id,
  scope,
  scheduled_for,
  channel: "email",
  state: "pending",
  tries: 0,
  due_at: 0,
  leased_until: 0,
  last_error: null,
  error_code: null,
  started_at: null,
  finished_at: null,
  rows: null,
  truncated: null,
  settled: [],
  ...change
})

/** A report of a run. */
export const reportOf = (run: NotificationRun, outcome: Report["outcome"]): Report => ({
  rule_id: run.rule_id,
  run_id: run.run_id,
  board_name: "Calls",
  widget_name: "Calls per day",
  rule_name: null,
  run_at: DateTime.unsafeMake(run.scheduled_for),
  viz_type: "bar",
  viz_config: { x_axis: "day", y_axis: ["calls"], colour: { of: "us" } },
  outcome
})

/** The store, without data of earlier laws. */
export const emptyStore: Effect.Effect<typeof NotificationStore.Service, never, NotificationStore | Transactions> =
  Effect
    .flatMap(NotificationStore, (store) =>
      Effect.suspend(() =>
        Effect.as(
          Effect.forEach(ruleIds.splice(0), ({ id, scope }) => store.removeRule(scope, id), { discard: true }),
          store
        )
      ))

const rule = ruleOf()
const run = runOf(rule.rule_id)

/** A rule with a run, a delivery and a report, for checking a store's queries. */
export const notificationSamples = {
  rule,
  run,
  delivery: deliveryOf(run),
  report: reportOf(run, { columns: [{ name: "calls" }], rows: [[1]], truncated: false })
}
