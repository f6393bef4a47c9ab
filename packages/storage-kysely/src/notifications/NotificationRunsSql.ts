import {
  type ExcludedScopes,
  type NotificationRun,
  type NotificationStore,
  RuleId,
  RunId,
  StoredReport
} from "@trunkline/notifications"
import { type Context, Effect, Option } from "effect"
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely"
import type { Database } from "../schema/Database.js"
import { jsonColumn, scopeColumns, scopeOf } from "../sql/Rows.js"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

const { decode, encode } = jsonColumn(StoredReport)

/** A literal and not a parameter, so that partial indexes apply. */
const isPending = sql<SqlBool>`state = 'pending'`

/** The columns of a run without its report. */
const columns = [
  "run_id",
  "rule_id",
  "org_id",
  "workspace_id",
  "scheduled_for",
  "state",
  "claims",
  "releases",
  "first_claimed_at",
  "leased_until"
] as const

const readRun = (
  { org_id, workspace_id, ...row }: Pick<Selectable<Database["notification_runs"]>, typeof columns[number]>
): NotificationRun => ({
  ...row,
  run_id: RunId.make(row.run_id),
  rule_id: RuleId.make(row.rule_id),
  scope: scopeOf({ org_id, workspace_id })
})

type Runs = Pick<
  typeof NotificationStore.Service,
  "claimRuns" | "closeRun" | "findReport" | "insertRun" | "keepRuns" | "nextRunClaim" | "releaseRun" | "settleRun"
>

const pendingRuns = (db: Kysely<Database>, { exceptScopes }: ExcludedScopes) =>
  db.selectFrom("notification_runs")
    .where(isPending)
    .where((eb) => eb.and(exceptScopes.map((scope) => eb.not(eb.and(scopeColumns(scope))))))

const claim = async (
  db: Kysely<Database>,
  { skipLocked }: SqlDialect,
  { exceptScopes, leaseMillis, limit, now }: Parameters<Runs["claimRuns"]>[0]
) => {
  const due = await pendingRuns(db, { exceptScopes }).select(columns)
    .where("leased_until", "<=", now)
    .orderBy("scheduled_for")
    .orderBy("run_id")
    .limit(limit)
    .modifyEnd(sql.raw(skipLocked))
    .execute()
  if (due.length === 0) return []
  const leased_until = now + leaseMillis
  await db.updateTable("notification_runs")
    .set((row) => ({
      leased_until,
      claims: row("claims", "+", 1),
      first_claimed_at: row.fn.coalesce("first_claimed_at", row.val(now))
    }))
    .where("run_id", "in", due.map(({ run_id }) => run_id))
    .execute()
  return due.map((row) => ({
    ...readRun(row),
    leased_until,
    claims: row.claims + 1,
    first_claimed_at: row.first_claimed_at ?? now
  }))
}

/** The methods of `NotificationStore` for runs. */
export const notificationRunsSql = ({ dialect, query, transaction }: Context.Tag.Service<typeof Sql>): Runs => ({
  insertRun: ({ scope, ...run }) =>
    query((db) =>
      db.insertInto("notification_runs").values({ ...run, ...scopeColumns(scope), report: null })
        .onConflict((conflict) => conflict.columns(["rule_id", "scheduled_for"]).doNothing())
        .executeTakeFirst()
    ).pipe(Effect.map(({ numInsertedOrUpdatedRows = 0n }) => numInsertedOrUpdatedRows > 0n)),
  claimRuns: (options) => transaction(query((db) => claim(db, dialect, options))),
  nextRunClaim: (passing) =>
    query((db) => pendingRuns(db, passing).select("leased_until").orderBy("leased_until").limit(1).executeTakeFirst())
      .pipe(Effect.map((row) => Option.fromNullable(row?.leased_until))),
  releaseRun: ({ claims, run_id }, at) =>
    query((db) =>
      db.updateTable("notification_runs")
        .set((row) => ({ leased_until: at, releases: row("releases", "+", 1) }))
        .where((eb) => eb.and({ run_id, claims }))
        .where(isPending)
        .executeTakeFirst()
    ).pipe(Effect.map(({ numUpdatedRows }) => numUpdatedRows > 0n)),
  settleRun: ({ claims, run_id, state }, report) =>
    query((db) =>
      db.updateTable("notification_runs")
        .set({ state, leased_until: 0, report: report === null ? null : encode(report) })
        .where((eb) => eb.and({ run_id, claims }))
        .where(isPending)
        .executeTakeFirst()
    ).pipe(Effect.map(({ numUpdatedRows }) => numUpdatedRows > 0n)),
  findReport: (run_id) =>
    query((db) => db.selectFrom("notification_runs").select("report").where("run_id", "=", run_id).executeTakeFirst())
      .pipe(Effect.map((row) => Option.map(Option.fromNullable(row?.report), decode))),
  closeRun: (run_id) =>
    query((db) =>
      db.updateTable("notification_runs")
        .set({ state: "done", report: null })
        .where((eb) => eb.and({ run_id, state: "sending" }))
        .where((eb) =>
          eb.not(eb.exists(
            eb.selectFrom("notification_deliveries").select("delivery_id").where(isPending).where("run_id", "=", run_id)
          ))
        )
        .execute()
    ).pipe(Effect.asVoid),
  keepRuns: (rule_id, count) =>
    query((db) =>
      db.deleteFrom("notification_runs")
        .where("rule_id", "=", rule_id)
        .where("scheduled_for", "<=", (eb) =>
          eb.selectFrom("notification_runs").select("scheduled_for")
            .where("rule_id", "=", rule_id)
            .orderBy("scheduled_for", "desc")
            .limit(1)
            .offset(count))
        .execute()
    ).pipe(Effect.asVoid)
})
