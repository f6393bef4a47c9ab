import { AttemptId, CampaignId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect } from "effect"
import type { ClaimPlan } from "../outbox/ClaimPlan.js"
import { outcomeOfTry, type TryResult } from "../outbox/DeliverySchedule.js"
import { Outbox } from "../outbox/Outbox.js"
import { newOutboxRow, type OutboxRow } from "../outbox/OutboxRow.js"

/** Workspace of the laws. */
export const lawScope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

/** Another workspace of the same organisation. */
export const otherScope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

let count = 0

/** A new campaign. */
export const lawCampaign = () => CampaignId.make(`camp-law-${++count}`)

/** A new URL. */
export const lawUrl = () => `https://a.example/${++count}`

/** A new webhook that is due from 0 on. Ids increase. */
export const webhook = (fields: Partial<OutboxRow> = {}): OutboxRow => ({
  ...newOutboxRow({
    scope: lawScope,
    campaign_id: CampaignId.make("camp-1"),
    deployment_id: null,
    attempt_id: AttemptId.make(`019a0000-0000-7000-8000-${String(++count).padStart(12, "0")}`),
    url: "https://a.example/hook",
    secret: null,
    body: Uint8Array.of(1, 2, 3),
    created_at: 1_000,
    now: 0,
    ...fields
  }),
  ...fields
})

/** A plan that is limited only in total. */
export const planFor = (limit: number): ClaimPlan => ({
  limit,
  full: 0,
  exceptScopes: [],
  freeSlotsFor: () => Infinity,
  freeSlotsIn: () => Infinity
})

/** Result of a try whose response has the given status. */
export const tryResultOf = (row: OutboxRow, status: number | null, now: number): TryResult => {
  const next = outcomeOfTry({ tries: row.tries, status, retryAfter: undefined, now, random: 0 })
  return { row, now, status, next, error: next.next === "delivered" ? null : `HTTP ${status}` }
}

/** Claims at `now` with a lease of 100 ms. */
export const claimAt = (now: number, plan: ClaimPlan = planFor(10_000)) =>
  Effect.map(
    Effect.flatMap(Outbox, ({ claimDue }) => claimDue({ now, leaseMillis: 100, plan })),
    ({ rows }) => rows
  )

/** Adds webhooks. */
export const enqueueAll = (rows: ReadonlyArray<OutboxRow>) =>
  Effect.flatMap(Outbox, ({ enqueueMany }) => enqueueMany(rows))

/** The outbox without pending webhooks of earlier tests, with healthy endpoints. */
export const emptyOutbox = Effect.gen(function*() {
  const outbox = yield* Outbox
  let now = 8_000_000_000_000
  for (;;) {
    const { givenUp, rows } = yield* outbox.claimDue({ now, leaseMillis: 1, plan: planFor(10_000) })
    if (givenUp + rows.length === 0) return outbox
    yield* outbox.record(rows.map((row): TryResult => ({ ...tryResultOf(row, 200, now), row })))
    now += 1_000_000_000
  }
})
