import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { NotificationStore } from "@trunkline/notifications"
import { notificationSamples } from "@trunkline/notifications/testing"
import { Effect } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const page = { limit: 50, offset: 0 }
const claim = { now: 0, limit: 10, leaseMillis: 1_000 }
const passing = { exceptScopes: [new Scope({ ...scope, workspace_id: WorkspaceId.make("busy") })] }
const { delivery, report, rule, run } = notificationSamples

/** What the notifications ask all the time, by name and each once. */
export const frequentNotifications: Readonly<Record<string, Effect.Effect<unknown, never, NotificationStore>>> = {
  "notification rules that are due": Effect.flatMap(NotificationStore, (store) =>
    Effect.all([
      store.nextRunAt,
      store.dueRules({ now: 2_000, limit: 100 }),
      store.putRule(scope, rule),
      store.advance(rule.rule_id, { from: 1_000, to: 2_000 }),
      store.insertRun(run),
      store.keepRuns(rule.rule_id, 500)
    ])),
  "notification rules of a board": Effect.flatMap(NotificationStore, (store) =>
    Effect.all([
      store.putRule(scope, rule),
      store.findRule(scope, rule.rule_id),
      store.listRules(scope, rule.board_id, page),
      store.listDeliveries(scope, rule.rule_id, page),
      store.removeRulesOf(scope, rule.board_id, [rule.widget_id]),
      store.removeRule(scope, rule.rule_id)
    ])),
  "the life of a report": Effect.flatMap(NotificationStore, (store) =>
    Effect.all([
      store.putRule(scope, rule),
      store.insertRun(run),
      store.nextRunClaim(passing),
      store.claimRuns({ ...claim, ...passing }),
      store.releaseRun({ ...run, claims: 1 }, 1_000),
      store.settleRun({ ...run, claims: 1, state: "sending" }, report),
      store.insertDeliveries([delivery]),
      store.nextDelivery("email"),
      store.claimDeliveries("email", claim),
      store.findReport(run.run_id),
      store.saveDelivery({ ...delivery, tries: 1, state: "delivered" }),
      store.closeRun(run.run_id)
    ]))
}
