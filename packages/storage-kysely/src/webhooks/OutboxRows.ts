import { AttemptId, CampaignId, DeploymentId, type Scope } from "@trunkline/kernel"
import type { EndpointHealth, ListedWebhook, OutboxRow, Receiver } from "@trunkline/webhooks"
import { Option } from "effect"
import { type Selectable, sql, type SqlBool } from "kysely"
import type { Database } from "../schema/Database.js"
import { insertText, scopeColumns, scopeOf } from "../sql/Rows.js"
import { statement, type Statements } from "../sql/Statement.js"

/** A literal and not a parameter, so that partial indexes apply. */
export const isPending = sql<SqlBool>`state = 'pending'`

/** The columns of a webhook without its number, secret and body. */
const narrowNames = [
  "webhook_id",
  "org_id",
  "workspace_id",
  "campaign_id",
  "deployment_id",
  "attempt_id",
  "url",
  "state",
  "tries",
  "due_at",
  "leased_until",
  "started_at",
  "finished_at",
  "last_status",
  "last_error",
  "created_at"
] as const

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

type Narrow = Omit<Selectable<Database["outbox"]>, "secret" | "claimable_at" | "endpoint_id">

/** The webhook of a row, with its endpoint. */
export const readWebhook = (
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

/** The health of an endpoint. */
export const readHealth = (row: EndpointHealth): EndpointHealth => ({
  failures: row.failures,
  failed_at: row.failed_at,
  pauses: row.pauses,
  paused_until: row.paused_until,
  probe_at: row.probe_at,
  disabled_at: row.disabled_at
})

/** The value for `head_at`: the time at which the first pending webhook of an endpoint can be claimed. */
export const selectHead = (endpoint_id: number) =>
  sql<number | null>`(
    select claimable_at from outbox where endpoint_id = ${endpoint_id} and ${isPending} order by claimable_at limit 1
  )`

const upsertEndpoint = `
  ${insertText("webhook_endpoints", ["org_id", "workspace_id", "endpoint", "head_at"])}
  on conflict (org_id, workspace_id, endpoint) do update set
    head_at = iif(disabled_at is null, min(ifnull(head_at, excluded.head_at), excluded.head_at), head_at)
  returning endpoint_id, disabled_at
`

/**
 * The row of a receiver, inserted if there is none. Its `head_at` becomes `due_at` if that is earlier, unless the receiver
 * is disabled.
 */
export function* queueEndpoint({ endpoint, scope }: Receiver, due_at: number): Statements<EndpointRow> {
  const { rows: [row] } = yield* statement<EndpointRow>(
    upsertEndpoint,
    [scope.org_id, scope.workspace_id, endpoint, due_at]
  )
  return Option.getOrThrow(Option.fromNullable(row))
}

/** The part of an endpoint that a new webhook needs. */
export type EndpointRow = Pick<Selectable<Database["webhook_endpoints"]>, "endpoint_id" | "disabled_at">

const insertNarrow = `
  ${insertText("outbox", [...narrowNames, "secret", "endpoint_id"])} on conflict (webhook_id) do nothing returning seq
`
const insertBody = insertText("outbox_bodies", ["seq", "body"])

/** Inserts a webhook, unless there is one with its id. */
export function* insertWebhook(
  { body, endpoint: _, scope, secret, ...row }: OutboxRow,
  endpoint_id: number
): Statements<void> {
  const columns = { ...row, ...scopeColumns(scope) }
  const values = [...narrowNames.map((name) => columns[name]), secret, endpoint_id]
  const { rows: [inserted] } = yield* statement<{ readonly seq: number }>(insertNarrow, values)
  if (inserted !== undefined) yield* statement(insertBody, [inserted.seq, body])
}
