import { AttemptId, CampaignId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { Effect } from "effect"
import { verdict } from "../delivery/DeliverySchedule.js"
import type { TryResult } from "../delivery/TryResult.js"
import type { ClaimPlan } from "./ClaimPlan.js"
import { disabledError } from "./EndpointHealth.js"
import { Outbox } from "./Outbox.js"
import { newOutboxRow, type OutboxRow } from "./OutboxRow.js"

/** The workspace of the laws. */
export const lawScope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

/** Another workspace of the same organisation. */
export const otherScope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

let made = 0

/** A campaign of its own. */
export const lawCampaign = () => CampaignId.make(`camp-law-${++made}`)

/** A URL of its own. */
export const lawUrl = () => `https://a.example/${++made}`

/** A new webhook, due from 0 on; later ones have larger ids. */
export const webhook = (given: Partial<OutboxRow> = {}): OutboxRow => ({
  ...newOutboxRow({
    scope: lawScope,
    campaign_id: CampaignId.make("camp-1"),
    deployment_id: null,
    attempt_id: AttemptId.make(`019a0000-0000-7000-8000-${String(++made).padStart(12, "0")}`),
    url: "https://a.example/hook",
    secret: null,
    body: Uint8Array.of(1, 2, 3),
    created_at: 1_000,
    now: 0,
    ...given
  }),
  ...given
})

/** Room for so many webhooks, of whomever. */
export const roomFor = (limit: number): ClaimPlan => ({
  limit,
  full: 0,
  exceptScopes: [],
  roomFor: () => Infinity,
  roomIn: () => Infinity
})

/** What follows when the receiver answers so to a claimed webhook. */
export const answered = (row: OutboxRow, status: number | null, now: number): TryResult => {
  const next = verdict({ tries: row.tries, status, retryAfter: undefined, now, random: 0 })
  return { row, now, status, next, error: next.next === "delivered" ? null : `HTTP ${status}` }
}

/** Claims at `now`, with a lease of 100 ms. */
export const claimAt = (now: number, plan: ClaimPlan = roomFor(10_000)) =>
  Effect.map(
    Effect.flatMap(Outbox, ({ claimDue }) => claimDue({ now, leaseMillis: 100, plan })),
    ({ rows }) => rows
  )

/** Puts webhooks in. */
export const enqueueAll = (rows: ReadonlyArray<OutboxRow>) =>
  Effect.flatMap(Outbox, ({ enqueue }) => Effect.forEach(rows, enqueue, { discard: true }))

/** An outbox in which nothing of an earlier test is pending, and every endpoint of its is healthy. */
export const emptied = Effect.gen(function*() {
  const outbox = yield* Outbox
  let now = 8_000_000_000_000
  for (;;) {
    const { givenUp, rows } = yield* outbox.claimDue({ now, leaseMillis: 1, plan: roomFor(10_000) })
    if (givenUp + rows.length === 0) return outbox
    yield* outbox.record(rows.map((row): TryResult => ({ ...answered(row, 200, now), row })))
    now += 1_000_000_000
  }
})

/** The reason of a webhook that its receiver did not want any more. */
export const unwanted = disabledError
