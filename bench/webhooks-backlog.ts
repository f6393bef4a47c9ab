import { AttemptId, CampaignId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { type ClaimPlan, newOutboxRow, Outbox, type TryResult } from "@trunkline/webhooks"
import { Effect } from "effect"

const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })
const endpoints = 20
const measured = 2_000
const now = 1_000_000_000

const plan: ClaimPlan = {
  limit: 192,
  full: 0,
  exceptScopes: [],
  freeSlotsFor: () => 10,
  freeSlotsIn: () => 192
}

const rowOf = (index: number) =>
  newOutboxRow({
    scope,
    campaign_id: CampaignId.make("camp-a1b2c3d4e5f6"),
    deployment_id: null,
    attempt_id: AttemptId.make(`019a0000-0000-7000-8000-${String(index).padStart(12, "0")}`),
    url: `https://r${index % endpoints}.example/hook`,
    secret: null,
    body: new Uint8Array(8),
    created_at: 0,
    now: index
  })

/** CPU of a claim and a result in the outbox in memory, in microseconds each, while `backlog` webhooks wait. */
export const claimsOfBacklog = (backlog: number): Promise<number> =>
  Effect.gen(function*() {
    const outbox = yield* Outbox
    for (let index = 0; index < backlog + measured; index++) yield* outbox.enqueueMany([rowOf(index)])
    const before = process.cpuUsage()
    let claimed = 0
    while (claimed < measured) {
      const { rows } = yield* outbox.claimDue({ now, leaseMillis: 60_000, plan })
      claimed += rows.length
      yield* outbox.record(rows.map((row): TryResult => ({
        row,
        now,
        status: 204,
        error: null,
        next: { next: "delivered", status: 204 }
      })))
    }
    const { system, user } = process.cpuUsage(before)
    return (system + user) / claimed
  }).pipe(Effect.provide(Outbox.layerMemory), Effect.runPromise)
