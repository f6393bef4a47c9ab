import { AttemptId, CampaignId, DeploymentId, type Scope, unchecked } from "@trunkline/kernel"
import type { EndpointHealth, ListedWebhook, OutboxRow } from "@trunkline/webhooks"
import { Struct } from "effect"
import type { Selectable } from "kysely"
import { insertRows } from "../fast/ManyRows.js"
import type { Database } from "../schema/Database.js"
import { scopeColumns, scopeOf } from "../sql/Rows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import type { Statements } from "../sql/Statement.js"

/** The columns of a webhook without its number, secret and body. */
const narrowTypes = {
  webhook_id: "text",
  org_id: "text",
  workspace_id: "text",
  campaign_id: "text",
  deployment_id: "text",
  attempt_id: "text",
  url: "text",
  state: "text",
  tries: "integer",
  due_at: "number",
  leased_until: "number",
  started_at: "number",
  finished_at: "number",
  last_status: "integer",
  last_error: "text",
  created_at: "number"
} as const
const narrowNames = Struct.keys(narrowTypes)

/** The columns of a webhook without its secret and body. */
export const narrowColumns = ["outbox.seq" as const, ...narrowNames.map((name) => `outbox.${name}` as const)]

/** The columns of an endpoint's health. */
export const healthColumns = [
  "failures",
  "failed_at",
  "pauses",
  "paused_until",
  "probe_at",
  "disabled_at"
] as const

/** A row of a webhook, without its secret and body. */
export type NarrowRow = Omit<Selectable<Database["outbox"]>, "secret" | "claimable_at" | "endpoint_id">

/** The webhook of a row, with its endpoint. Ids are unchecked because they were checked when written. */
export const readWebhook = (
  row: NarrowRow,
  endpoint: string,
  scope: Scope = scopeOf(row)
): Omit<ListedWebhook, "health"> => ({
  webhook_id: row.webhook_id,
  scope,
  campaign_id: row.campaign_id === null ? null : CampaignId.make(row.campaign_id, unchecked),
  deployment_id: row.deployment_id === null ? null : DeploymentId.make(row.deployment_id, unchecked),
  attempt_id: AttemptId.make(row.attempt_id, unchecked),
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

/** The health of an endpoint. */
export const readHealth = (row: EndpointHealth): EndpointHealth => ({
  failures: row.failures,
  failed_at: row.failed_at,
  pauses: row.pauses,
  paused_until: row.paused_until,
  probe_at: row.probe_at,
  disabled_at: row.disabled_at
})

/** Sets the health of an endpoint: {@link healthValues} and its number. */
export const setHealth = `
  update webhook_endpoints set ${healthColumns.map((column) => `${column} = ?`).join(", ")} where endpoint_id = ?
`

/** The values of {@link healthColumns}. */
export const healthValues = (health: EndpointHealth): ReadonlyArray<number | null> =>
  healthColumns.map((column) => health[column])

/** A webhook to insert, with the number of its endpoint. */
export interface NewWebhook {
  readonly webhook: OutboxRow
  readonly endpoint_id: number
}

/** Makes a function that inserts webhooks, except those with the id of another one. */
export const insertWebhooks = (dialect: SqlDialect) => {
  const insertNarrow = insertRows<{ readonly seq: number; readonly webhook_id: string }>(dialect, "outbox", {
    columns: { ...narrowTypes, secret: "text", endpoint_id: "integer" },
    end: "on conflict (webhook_id) do nothing returning seq, webhook_id"
  })
  const insertBodies = insertRows(dialect, "outbox_bodies", { columns: { seq: "integer", body: "bytes" } })
  return function*(addedWebhooks: ReadonlyArray<NewWebhook>): Statements<void> {
    const rows = yield* insertNarrow(
      addedWebhooks.map(({ endpoint_id, webhook: { body: _body, endpoint: _endpoint, scope, secret, ...row } }) => {
        const columns = { ...row, ...scopeColumns(scope) }
        return [...narrowNames.map((name) => columns[name]), secret, endpoint_id]
      })
    )
    const seqs = new Map(rows.map(({ seq, webhook_id }) => [webhook_id, seq]))
    const bodies: Array<readonly [number, Uint8Array]> = []
    for (const { webhook: { body, webhook_id } } of addedWebhooks) {
      const seq = seqs.get(webhook_id)
      if (seq === undefined) continue
      seqs.delete(webhook_id)
      bodies.push([seq, body])
    }
    yield* insertBodies(bodies)
  }
}
