import type { Scope } from "@trunkline/kernel"
import { type ListPage, NotificationRule, NotificationStore, type RuleId } from "@trunkline/notifications"
import { type Context, DateTime, Effect, Layer, Option } from "effect"
import type { Kysely } from "kysely"
import type { Database } from "../schema/Database.js"
import { jsonColumn, scopeColumns, scopeOf } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import { notificationDeliveriesSql } from "./NotificationDeliveriesSql.js"
import { notificationRunsSql } from "./NotificationRunsSql.js"

const { decode, encode, read } = jsonColumn(NotificationRule)

const rowOf = (scope: Scope, rule: NotificationRule) => ({
  ...scopeColumns(scope),
  rule_id: rule.rule_id,
  board_id: rule.board_id,
  widget_id: rule.widget_id,
  created_at: rule.created_at.epochMillis,
  next_run_at: rule.next_run_at?.epochMillis ?? null,
  body: encode(rule)
})

const list = async (db: Kysely<Database>, scope: Scope, board_id: string, { limit, offset }: ListPage) => {
  const rules = db.selectFrom("notification_rules").where((eb) => eb.and({ ...scopeColumns(scope), board_id }))
  const { total } = await rules.select((of) => of.fn.countAll<number>().as("total")).executeTakeFirstOrThrow()
  const page = await rules.select("body")
    .orderBy("created_at", "desc")
    .orderBy("rule_id")
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: page.map(({ body }) => decode(body)), total }
}

const advance = async (
  db: Kysely<Database>,
  rule_id: RuleId,
  { from, to }: { readonly from: number; readonly to: number | null }
) => {
  const row = await db.selectFrom("notification_rules").select("body")
    .where((eb) => eb.and({ rule_id, next_run_at: from }))
    .executeTakeFirst()
  if (row === undefined) return false
  const next_run_at = to === null ? null : DateTime.unsafeMake(to)
  const body = encode(new NotificationRule({ ...decode(row.body), next_run_at }))
  await db.updateTable("notification_rules").set({ next_run_at: to, body }).where("rule_id", "=", rule_id).execute()
  return true
}

type Rules = Pick<
  typeof NotificationStore.Service,
  "advance" | "dueRules" | "findRule" | "listRules" | "nextRunAt" | "putRule" | "removeRule" | "removeRulesOf"
>

/** The methods of `NotificationStore` for rules. */
const notificationRulesSql = ({ query, serializable }: Context.Tag.Service<typeof Sql>): Rules => ({
  putRule: (scope, rule) =>
    query((db) => {
      const row = rowOf(scope, rule)
      return db.insertInto("notification_rules").values(row)
        .onConflict((conflict) => conflict.column("rule_id").doUpdateSet(row))
        .execute()
    }).pipe(Effect.asVoid),
  findRule: (scope, rule_id) =>
    query((db) =>
      db.selectFrom("notification_rules").select("body")
        .where((eb) => eb.and({ rule_id, ...scopeColumns(scope) }))
        .executeTakeFirst()
    ).pipe(Effect.map(read)),
  listRules: (scope, board_id, page) => query((db) => list(db, scope, board_id, page)),
  removeRule: (scope, rule_id) =>
    query((db) =>
      db.deleteFrom("notification_rules")
        .where((eb) => eb.and({ rule_id, ...scopeColumns(scope) }))
        .executeTakeFirst()
    ).pipe(Effect.map(({ numDeletedRows }) => numDeletedRows > 0)),
  removeRulesOf: (scope, board_id, widget_ids) =>
    widget_ids.length === 0 ? Effect.void : query((db) =>
      db.deleteFrom("notification_rules")
        .where((eb) => eb.and({ ...scopeColumns(scope), board_id }))
        .where("widget_id", "in", widget_ids)
        .execute()
    ).pipe(Effect.asVoid),
  nextRunAt: query((db) =>
    db.selectFrom("notification_rules").select("next_run_at")
      .where("next_run_at", "is not", null)
      .orderBy("next_run_at")
      .limit(1)
      .executeTakeFirst()
  ).pipe(Effect.map((row) => Option.fromNullable(row?.next_run_at))),
  dueRules: ({ limit, now }) =>
    query((db) =>
      db.selectFrom("notification_rules").select(["org_id", "workspace_id", "body"])
        .where("next_run_at", "<=", now)
        .orderBy("next_run_at")
        .orderBy("rule_id")
        .limit(limit)
        .execute()
    ).pipe(Effect.map((rows) => rows.map((row) => ({ scope: scopeOf(row), rule: decode(row.body) })))),
  advance: (id, move) => serializable(query((db) => advance(db, id, move)))
})

/** `NotificationStore` in SQL. */
export const NotificationStoreSql = {
  layer: Layer.effect(
    NotificationStore,
    Effect.map(Sql, (sql) =>
      NotificationStore.of({
        ...notificationRulesSql(sql),
        ...notificationRunsSql(sql),
        ...notificationDeliveriesSql(sql)
      }))
  )
}
