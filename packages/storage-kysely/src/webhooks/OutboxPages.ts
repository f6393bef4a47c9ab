import { type DeliveryStatus, type ListedWebhook, type OutboxQuery, webhookIdOf } from "@trunkline/webhooks"
import { Array } from "effect"
import { type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from "kysely"
import type { Database } from "../schema/Database.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { healthColumns, narrowColumns, readHealth, readWebhook } from "./OutboxRows.js"

/** Matches rows with a status, as `deliveryStatus` of `@trunkline/webhooks` defines it. */
export const hasStatus = (status: DeliveryStatus, now: number): RawBuilder<SqlBool> => {
  switch (status) {
    case "pending":
      return sql`(state = 'pending' and leased_until <= ${now})`
    case "running":
      return sql`(state = 'pending' and leased_until > 0 and leased_until > ${now})`
    case "delivered":
      return sql`state = 'delivered'`
    case "failed":
      return sql`state = 'dead'`
  }
}

/** Names the index of running webhooks, because the planner does not know how few there are. */
const runningIndex = ({ indexedBy }: SqlDialect) => sql.raw(indexedBy("outbox_running"))

const conditions = ({ after, attempt_id, before, campaign_id, from, scope, status, to }: OutboxQuery) =>
  sql.join([
    sql`org_id = ${scope.org_id}`,
    sql`workspace_id = ${scope.workspace_id}`,
    sql`campaign_id = ${campaign_id}`,
    ...(after === undefined ? [] : [sql`(created_at, webhook_id) < (${after.created_at}, ${after.webhook_id})`]),
    ...(before === undefined ? [] : [sql`(created_at, webhook_id) > (${before.created_at}, ${before.webhook_id})`]),
    ...(attempt_id === undefined ? [] : [sql`webhook_id = ${webhookIdOf(attempt_id)}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
    ...(status === undefined ? [] : [hasStatus(status.is, status.now)])
  ], sql` and `)

/** `listByCampaign` of the outbox. */
export const pageOfWebhooks = async (
  db: Kysely<Database>,
  dialect: SqlDialect,
  query: OutboxQuery
): Promise<ReadonlyArray<ListedWebhook>> => {
  const order = query.before === undefined ? sql`desc` : sql`asc`
  const { rows } = await sql<Selectable<Database["outbox"]>>`
    select ${sql.join([...narrowColumns, "endpoint_id"].map((column) => sql.ref(column)))}
    from outbox ${query.status?.is === "running" ? runningIndex(dialect) : sql``}
    where ${conditions(query)}
    order by created_at ${order}, webhook_id ${order}
    limit ${query.limit}
  `.execute(db)
  if (rows.length === 0) return []
  const endpoints = await db.selectFrom("webhook_endpoints").select(["endpoint_id", "endpoint", ...healthColumns])
    .where("endpoint_id", "in", Array.dedupe(rows.map((row) => row.endpoint_id)))
    .execute()
  const byId = new Map(endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint]))
  const page = rows.flatMap((row) => {
    const of = byId.get(row.endpoint_id)
    return of === undefined ? [] : [{ ...readWebhook(row, of.endpoint), health: readHealth(of) }]
  })
  return query.before === undefined ? page : page.reverse()
}
