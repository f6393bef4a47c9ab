import { AttemptId, CampaignId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { NotificationStore } from "@trunkline/notifications"
import { notificationSamples } from "@trunkline/notifications/testing"
import { type ClaimPlan, newOutboxRow, Outbox, RetiredSecretStore, type TryResult } from "@trunkline/webhooks"
import { Effect } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
const attempt_id = AttemptId.make("019a0000-0000-7000-8000-000000000001")

const webhook = newOutboxRow({
  scope,
  campaign_id,
  deployment_id: null,
  attempt_id,
  url: "https://b.example/hook",
  secret: null,
  body: Uint8Array.of(1),
  created_at: 0,
  now: 0
})

const plan: ClaimPlan = {
  limit: 10,
  full: 1,
  exceptScopes: [new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("busy") })],
  freeSlotsFor: () => 10,
  freeSlotsIn: () => 10
}

const failureOf = (status: number): TryResult => ({
  row: { ...webhook, tries: 1, started_at: 0 },
  now: 0,
  status,
  error: `HTTP ${status}`,
  next: status === 410 ? { next: "gone" } : { next: "retry", at: 0 }
})

const listed = { scope, campaign_id, limit: 10 }
const place = { created_at: 0, webhook_id: webhook.webhook_id }

const page = { limit: 50, offset: 0 }
const claim = { now: 0, limit: 10, leaseMillis: 1_000 }
const passing = { exceptScopes: [new Scope({ ...scope, workspace_id: WorkspaceId.make("busy") })] }
const { delivery, report, rule, run } = notificationSamples

/** The frequent queries of webhooks and notifications, by name. */
export const deliveryQueries: Readonly<
  Record<string, Effect.Effect<unknown, never, NotificationStore | Outbox | RetiredSecretStore>>
> = {
  "webhooks that are due": Effect.flatMap(Outbox, (store) =>
    Effect.all([
      store.enqueueMany([webhook]),
      store.claimDue({ now: 0, leaseMillis: 1_000, plan }),
      store.record([failureOf(500)]),
      store.replay({ scope, campaign_id, attempt_ids: [attempt_id], now: 2_000 }),
      store.enable(scope, webhook.url)
    ])),
  "webhooks of a receiver that is gone": Effect.flatMap(Outbox, (store) =>
    Effect.all([
      store.enqueueMany([webhook]),
      store.claimDue({ now: 0, leaseMillis: 1_000, plan }),
      store.record([failureOf(410)]),
      store.enqueueMany([{ ...webhook, webhook_id: "att_another" }]),
      store.claimDue({ now: 0, leaseMillis: 1_000, plan })
    ])),
  "webhooks that waited too long": Effect.flatMap(Outbox, (store) =>
    Effect.all([
      store.enqueueMany([webhook]),
      store.record(Array(5).fill(failureOf(500))),
      store.claimDue({ now: 1_000_000, leaseMillis: 1_000, plan })
    ])),
  "the next due webhook": Effect.flatMap(Outbox, (store) => store.nextDue(plan)),
  "webhooks of a campaign": Effect.flatMap(Outbox, (store) =>
    Effect.all([
      store.enqueueMany([webhook]),
      store.listByCampaign(listed),
      store.listByCampaign({ ...listed, after: place, to: 1, from: 0 }),
      store.listByCampaign({ ...listed, before: place })
    ])),
  "webhooks of a campaign by status": Effect.flatMap(
    Outbox,
    (store) =>
      Effect.forEach(
        ["pending", "running", "delivered", "failed"] as const,
        (status) => store.listByCampaign({ ...listed, after: place, status: { is: status, now: 0 } })
      )
  ),
  "counts of webhooks": Effect.flatMap(
    Outbox,
    (store) => Effect.all([store.counts(scope, campaign_id), store.counts(scope, null)])
  ),
  "retired secrets": Effect.flatMap(RetiredSecretStore, (store) => {
    const owner = { kind: "campaign", id: campaign_id } as const
    return Effect.all([store.put(scope, owner, { successor: "b", secrets: [] }), store.find(scope, owner)])
  }),
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
