import { AttemptId, CampaignId } from "@trunkline/kernel"
import { type DeliveryStatus, Outbox, type OutboxQuery, type OutboxRow, webhookIdOf } from "@trunkline/webhooks"
import { Array, Effect, Layer, Option } from "effect"
import { type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from "kysely"
import type { Database } from "./Database.js"
import { columnsOf, inBatches, scopeOf } from "./Rows.js"
import { Sql } from "./Sql.js"

const insertable = ({ scope, ...row }: OutboxRow) => ({ ...row, ...columnsOf(scope) })

const rowOf = ({ claimable_at: _, org_id, workspace_id, ...row }: Selectable<Database["outbox"]>): OutboxRow => ({
  ...row,
  scope: scopeOf({ org_id, workspace_id }),
  campaign_id: row.campaign_id === null ? null : CampaignId.make(row.campaign_id),
  attempt_id: AttemptId.make(row.attempt_id),
  body: new Uint8Array(row.body)
})

/** Written out, so that partial indexes serve it. */
const pending = sql<SqlBool>`state = 'pending'`

const claim = async (
  db: Kysely<Database>,
  { exceptOrigins, leaseMillis, limit, now }: Parameters<typeof Outbox.Service["claimDue"]>[0]
) => {
  const due = await db.selectFrom("outbox").selectAll()
    .where(pending)
    .where("due_at", "<=", now)
    .where("leased_until", "<=", now)
    .where("origin", "not in", exceptOrigins)
    .orderBy("due_at")
    .orderBy("webhook_id")
    .limit(limit)
    .execute()
  if (due.length === 0) return []
  const lease = { started_at: now, leased_until: now + leaseMillis }
  await db.updateTable("outbox")
    .set((row) => ({ ...lease, tries: row("tries", "+", 1) }))
    .where("webhook_id", "in", due.map((row) => row.webhook_id))
    .execute()
  return due.map((row) => ({ ...rowOf(row), ...lease, tries: row.tries + 1 }))
}

/** The rows that stand so, as the domain's `deliveryStatus` says. */
const statusSql = (is: DeliveryStatus, now: number): RawBuilder<SqlBool> => {
  switch (is) {
    case "pending":
      return sql`(state = 'pending' and leased_until <= ${now})`
    case "running":
      return sql`(state = 'pending' and leased_until > ${now})`
    case "delivered":
      return sql`state = 'delivered'`
    case "failed":
      return sql`state = 'dead'`
  }
}

const pageOf = async (db: Kysely<Database>, query: OutboxQuery) => {
  const { after, before, campaign_id, from, limit, scope, status, to } = query
  let rows = db.selectFrom("outbox").selectAll().where((is) => is.and({ campaign_id, ...columnsOf(scope) }))
  if (after !== undefined) rows = rows.where("webhook_id", "<", after)
  if (before !== undefined) rows = rows.where("webhook_id", ">", before)
  if (from !== undefined) rows = rows.where("created_at", ">=", from)
  if (to !== undefined) rows = rows.where("created_at", "<", to)
  if (status !== undefined) rows = rows.where(statusSql(status.is, status.now))
  const page = await rows.orderBy("webhook_id", before === undefined ? "desc" : "asc").limit(limit).execute()
  return (before === undefined ? page : page.reverse()).map(rowOf)
}

/** `Outbox` in SQL. */
export const OutboxSql = {
  layer: Layer.effect(
    Outbox,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql
      return Outbox.of({
        enqueue: (row) =>
          query((db) =>
            db.insertInto("outbox").values(insertable(row))
              .onConflict((conflict) => conflict.column("webhook_id").doNothing())
              .execute()
          ).pipe(Effect.asVoid),
        claimDue: (options) => transaction(query((db) => claim(db, options))),
        nextDue: ({ exceptOrigins }) =>
          query((db) =>
            db.selectFrom("outbox").select("claimable_at")
              .where(pending)
              .where("origin", "not in", exceptOrigins)
              .orderBy("claimable_at")
              .limit(1)
              .executeTakeFirst()
          ).pipe(Effect.map((row) => Option.fromNullable(row?.claimable_at))),
        delivered: (webhookId, { now, status }) =>
          query((db) =>
            db.updateTable("outbox")
              .set({
                state: "delivered",
                leased_until: 0,
                finished_at: now,
                last_status: status,
                last_error: null
              })
              .where("webhook_id", "=", webhookId)
              .execute()
          ).pipe(Effect.asVoid),
        retryAt: (webhookId, { at, error, status }) =>
          query((db) =>
            db.updateTable("outbox")
              .set({ due_at: at, leased_until: 0, last_status: status, last_error: error })
              .where("webhook_id", "=", webhookId)
              .where(pending)
              .execute()
          ).pipe(Effect.asVoid),
        dead: (webhookId, { error, now, status }) =>
          query((db) =>
            db.updateTable("outbox")
              .set({ state: "dead", leased_until: 0, finished_at: now, last_status: status, last_error: error })
              .where("webhook_id", "=", webhookId)
              .where(pending)
              .execute()
          ).pipe(Effect.asVoid),
        replay: ({ attempt_ids, campaign_id, now, scope }) =>
          inBatches(Array.dedupe(attempt_ids), (batch) =>
            query((db) =>
              db.updateTable("outbox")
                .set({
                  state: "pending",
                  tries: 0,
                  due_at: 0,
                  leased_until: 0,
                  finished_at: null
                })
                .where("webhook_id", "in", batch.map(webhookIdOf))
                .where((is) => is.and({ campaign_id, ...columnsOf(scope) }))
                .where((is) => is.not(statusSql("running", now)))
                .executeTakeFirst()
            )).pipe(
              Effect.map((batches) => batches.reduce((sum, { numUpdatedRows }) => sum + Number(numUpdatedRows), 0)),
              transaction
            ),
        counts: (scope, campaign_id) =>
          query((db) =>
            db.selectFrom("outbox")
              .select((of) => ["state", of.fn.countAll<number>().as("count")])
              .where((is) => is.and({ ...columnsOf(scope), ...(campaign_id === null ? {} : { campaign_id }) }))
              .groupBy("state")
              .execute()
          ).pipe(Effect.map((rows) => {
            const counts = { pending: 0, delivered: 0, dead: 0 }
            for (const { count, state } of rows) counts[state] = count
            return counts
          })),
        listByCampaign: (page) => query((db) => pageOf(db, page))
      })
    })
  )
}
