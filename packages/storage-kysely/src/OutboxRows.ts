import { AttemptId, CampaignId, DeploymentId, type Scope } from "@trunkline/kernel"
import type { EndpointHealth, ListedWebhook, OutboxRow, Receiver } from "@trunkline/webhooks"
import { Effect, Option } from "effect"
import { type Selectable, sql, type SqlBool } from "kysely"
import type { Database } from "./Database.js"
import { columnsOf, insertText, scopeOf } from "./Rows.js"
import type { Sql } from "./Sql.js"

type Execute = Pick<typeof Sql.Service, "execute">

/** Written out, so that partial indexes serve it. */
export const pending = sql<SqlBool>`state = 'pending'`

/** The columns of a webhook but its number, its secret and its body. */
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

/** The columns of a webhook but its secret and its body. */
export const narrow = ["outbox.seq" as const, ...narrowNames.map((name) => `outbox.${name}` as const)]

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

const queue = `
  ${insertText("webhook_endpoints", ["org_id", "workspace_id", "endpoint", "head_at"])}
  on conflict (org_id, workspace_id, endpoint) do update set
    head_at = iif(disabled_at is null, min(ifnull(head_at, excluded.head_at), excluded.head_at), head_at)
  returning endpoint_id, disabled_at
`

/**
 * The row of a receiver, made when there is none, after `head_at` has come to be no later than `due_at`; that of a
 * disabled one stays as it is.
 */
export const queueFor = ({ execute }: Execute, { endpoint, scope }: Receiver, due_at: number) =>
  Effect.map(
    execute<Pick<Selectable<Database["webhook_endpoints"]>, "endpoint_id" | "disabled_at">>(
      queue,
      [scope.org_id, scope.workspace_id, endpoint, due_at]
    ),
    ({ rows: [row] }) => Option.getOrThrow(Option.fromNullable(row))
  )

const insertNarrow = `
  ${insertText("outbox", [...narrowNames, "secret", "endpoint_id"])} on conflict (webhook_id) do nothing returning seq
`
const insertBody = insertText("outbox_bodies", ["seq", "body"])

/** Puts a webhook in, unless its id is in already. */
export const insertWebhook = (
  { execute }: Execute,
  { body, endpoint: _, scope, secret, ...row }: OutboxRow,
  endpoint_id: number
): Effect.Effect<void> =>
  Effect.gen(function*() {
    const columns = { ...row, ...columnsOf(scope) }
    const values = [...narrowNames.map((name) => columns[name]), secret, endpoint_id]
    const { rows: [inserted] } = yield* execute<{ readonly seq: number }>(insertNarrow, values)
    if (inserted !== undefined) yield* execute(insertBody, [inserted.seq, body])
  })
