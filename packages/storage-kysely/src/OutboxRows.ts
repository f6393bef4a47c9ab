import { AttemptId, CampaignId, DeploymentId, type Scope } from "@trunkline/kernel"
import type { EndpointHealth, ListedWebhook, OutboxRow, Receiver } from "@trunkline/webhooks"
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely"
import type { Database } from "./Database.js"
import { columnsOf, scopeOf } from "./Rows.js"

/** Written out, so that partial indexes serve it. */
export const pending = sql<SqlBool>`state = 'pending'`

/** The columns of a webhook but its body. */
export const narrow = [
  "outbox.seq",
  "outbox.webhook_id",
  "outbox.org_id",
  "outbox.workspace_id",
  "outbox.campaign_id",
  "outbox.deployment_id",
  "outbox.attempt_id",
  "outbox.url",
  "outbox.state",
  "outbox.tries",
  "outbox.due_at",
  "outbox.leased_until",
  "outbox.started_at",
  "outbox.finished_at",
  "outbox.last_status",
  "outbox.last_error",
  "outbox.created_at"
] as const

/** The columns that say how an endpoint is. */
export const healthColumns = [
  "failures",
  "failed_at",
  "pauses",
  "paused_until",
  "probe_at",
  "disabled_at"
] as const

type Narrow = Omit<Selectable<Database["outbox"]>, "secret" | "claimable_at" | "endpoint_id">

/** A webhook as its row tells it, with the endpoint that it goes to. */
export const webhookOf = (
  row: Narrow,
  endpoint: string,
  scope: Scope = scopeOf(row)
): Omit<ListedWebhook, "health"> => ({
  webhook_id: row.webhook_id,
  scope,
  campaign_id: row.campaign_id === null ? null : CampaignId.make(row.campaign_id),
  deployment_id: row.deployment_id === null ? null : DeploymentId.make(row.deployment_id),
  attempt_id: AttemptId.make(row.attempt_id),
  url: row.url,
  endpoint,
  state: row.state,
  tries: row.tries,
  due_at: row.due_at,
  leased_until: row.leased_until,
  started_at: row.started_at,
  finished_at: row.finished_at,
  last_status: row.last_status,
  last_error: row.last_error,
  created_at: row.created_at
})

/** How an endpoint is, without what else its row holds. */
export const healthOf = (row: EndpointHealth): EndpointHealth => ({
  failures: row.failures,
  failed_at: row.failed_at,
  pauses: row.pauses,
  paused_until: row.paused_until,
  probe_at: row.probe_at,
  disabled_at: row.disabled_at
})

/** When the first pending webhook of an endpoint can be claimed: what `head_at` has to be. */
export const headOf = (endpoint_id: number) =>
  sql<number | null>`(
    select claimable_at from outbox where endpoint_id = ${endpoint_id} and ${pending} order by claimable_at limit 1
  )`

/**
 * The row of a receiver, made when there is none, after `head_at` has come to be no later than `due_at`; that of a
 * disabled one stays as it is.
 */
export const queueFor = (db: Kysely<Database>, { endpoint, scope }: Receiver, due_at: number) =>
  db.insertInto("webhook_endpoints")
    .values({ ...columnsOf(scope), endpoint, head_at: due_at })
    .onConflict((conflict) =>
      conflict.columns(["org_id", "workspace_id", "endpoint"]).doUpdateSet({
        head_at: sql`iif(disabled_at is null, min(ifnull(head_at, excluded.head_at), excluded.head_at), head_at)`
      })
    )
    .returning(["endpoint_id", "disabled_at"])
    .executeTakeFirstOrThrow()

/** Puts a webhook in, unless its id is in already. */
export const insertWebhook = async (
  db: Kysely<Database>,
  { body, endpoint: _, scope, ...row }: OutboxRow,
  endpoint_id: number
): Promise<void> => {
  const inserted = await db.insertInto("outbox").values({ ...row, ...columnsOf(scope), endpoint_id })
    .onConflict((conflict) => conflict.column("webhook_id").doNothing())
    .returning("seq")
    .executeTakeFirst()
  if (inserted === undefined) return
  await db.insertInto("outbox_bodies").values({ seq: inserted.seq, body }).execute()
}
