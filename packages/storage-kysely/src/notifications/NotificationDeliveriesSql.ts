import {
  type Delivery,
  DeliveryId,
  type NotificationStore,
  RuleId,
  RunId,
  SettledRecipient
} from "@trunkline/notifications"
import { type Context, Effect, Option, Schema } from "effect"
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely"
import type { Database } from "../schema/Database.js"
import { jsonColumn, scopeColumns, scopeOf } from "../sql/Rows.js"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

const { decode, encode } = jsonColumn(Schema.Array(SettledRecipient))

/** A literal and not a parameter, so that partial indexes apply. */
const isPending = sql<SqlBool>`state = 'pending'`

const rowOf = ({ rows: row_count, scope, settled, truncated, ...delivery }: Delivery) => ({
  ...delivery,
  ...scopeColumns(scope),
  row_count,
  truncated: truncated === null ? null : Number(truncated),
  settled: encode(settled)
})

/** The columns of a delivery; newer software may have added others, which are not to be written back. */
const columns = [
  "delivery_id",
  "run_id",
  "rule_id",
  "org_id",
  "workspace_id",
  "scheduled_for",
  "channel",
  "state",
  "tries",
  "due_at",
  "leased_until",
  "last_error",
  "error_code",
  "started_at",
  "finished_at",
  "row_count",
  "truncated",
  "settled"
] as const

const readDelivery = (
  { org_id, row_count: rows, workspace_id, ...row }: Pick<
    Selectable<Database["notification_deliveries"]>,
    typeof columns[number]
  >
): Delivery => ({
  ...row,
  delivery_id: DeliveryId.make(row.delivery_id),
  run_id: RunId.make(row.run_id),
  rule_id: RuleId.make(row.rule_id),
  scope: scopeOf({ org_id, workspace_id }),
  rows,
  truncated: row.truncated === null ? null : row.truncated === 1,
  settled: decode(row.settled)
})

type Deliveries = Pick<
  typeof NotificationStore.Service,
  "claimDeliveries" | "insertDeliveries" | "listDeliveries" | "nextDelivery" | "saveDelivery"
>

const claim = async (
  db: Kysely<Database>,
  { skipLocked }: SqlDialect,
  ...[channel, { leaseMillis, limit, now }]: Parameters<Deliveries["claimDeliveries"]>
) => {
  const due = await db.selectFrom("notification_deliveries").select(columns)
    .where(isPending)
    .where("channel", "=", channel)
    .where("claimable_at", "<=", now)
    .orderBy("claimable_at")
    .orderBy("delivery_id")
    .limit(limit)
    .modifyEnd(sql.raw(skipLocked))
    .execute()
  if (due.length === 0) return []
  const lease = { started_at: now, leased_until: now + leaseMillis }
  await db.updateTable("notification_deliveries")
    .set((row) => ({ ...lease, tries: row("tries", "+", 1) }))
    .where("delivery_id", "in", due.map(({ delivery_id }) => delivery_id))
    .execute()
  return due.map((row) => ({ ...readDelivery(row), ...lease, tries: row.tries + 1 }))
}

const list = async (
  db: Kysely<Database>,
  ...[scope, rule_id, { limit, offset }]: Parameters<Deliveries["listDeliveries"]>
) => {
  const deliveries = db.selectFrom("notification_deliveries").where((eb) => eb.and({ rule_id, ...scopeColumns(scope) }))
  const { total } = await deliveries.select((of) => of.fn.countAll<number>().as("total")).executeTakeFirstOrThrow()
  const page = await deliveries.select(columns)
    .orderBy("scheduled_for", "desc")
    .orderBy("channel")
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: page.map(readDelivery), total }
}

/** The methods of `NotificationStore` for deliveries. */
export const notificationDeliveriesSql = (
  { dialect, query, transaction }: Context.Tag.Service<typeof Sql>
): Deliveries => ({
  insertDeliveries: (deliveries) =>
    deliveries.length === 0
      ? Effect.void
      : query((db) =>
        db.insertInto("notification_deliveries").values(deliveries.map(rowOf))
          .onConflict((conflict) => conflict.columns(["run_id", "channel"]).doNothing())
          .execute()
      ).pipe(Effect.asVoid),
  claimDeliveries: (channel, options) => transaction(query((db) => claim(db, dialect, channel, options))),
  nextDelivery: (channel) =>
    query((db) =>
      db.selectFrom("notification_deliveries").select("claimable_at")
        .where(isPending)
        .where("channel", "=", channel)
        .orderBy("claimable_at")
        .limit(1)
        .executeTakeFirst()
    ).pipe(Effect.map((row) => Option.fromNullable(row?.claimable_at))),
  saveDelivery: (delivery) =>
    query((db) =>
      db.updateTable("notification_deliveries").set(rowOf(delivery))
        .where((eb) => eb.and({ delivery_id: delivery.delivery_id, tries: delivery.tries }))
        .where(isPending)
        .executeTakeFirst()
    ).pipe(Effect.map(({ numUpdatedRows }) => numUpdatedRows > 0n)),
  listDeliveries: (scope, rule_id, page) => query((db) => list(db, scope, rule_id, page))
})
