import type { Scope } from "@trunkline/kernel"
import {
  type ClaimPlan,
  disabledError,
  hasRoom,
  isPaused,
  makeQuota,
  type Outbox,
  overdueBefore,
  overdueError,
  type Receiver,
  startProbe
} from "@trunkline/webhooks"
import { type Context, Option } from "effect"
import { type Kysely, sql, type SqlBool } from "kysely"
import type { Database } from "../schema/Database.js"
import { scopeColumns, scopeOf } from "../sql/Rows.js"
import { healthColumns, isPending, narrowColumns, readHealth, readWebhook, selectHead } from "./OutboxRows.js"

type Methods = Context.Tag.Service<typeof Outbox>
type Claim = Parameters<Methods["claimDue"]>[0]

/** Most webhooks of one endpoint that one claim gives up, so that none blocks the event loop for long. */
const maxGivenUp = 500

/** The endpoints with work to do, those that have waited longest first. */
const dueEndpoints = (db: Kysely<Database>, scopes: ReadonlyArray<Scope>) => {
  const all = db.selectFrom("webhook_endpoints").where("visit_at", "is not", null).orderBy("visit_at")
  return scopes.length === 0
    ? all
    : all.where(
      sql<SqlBool>`(org_id, workspace_id) not in (values ${
        sql.join(scopes.map((scope) => sql`(${scope.org_id}, ${scope.workspace_id})`))
      })`
    )
}

/** Gives up webhooks of an endpoint; returns how many. */
const giveUp = async (
  db: Kysely<Database>,
  endpoint_id: number,
  { before, error, now }: { readonly before: number; readonly error: string; readonly now: number }
): Promise<number> => {
  const { numUpdatedRows } = await db.updateTable("outbox")
    .set({ state: "dead", leased_until: 0, finished_at: now, last_error: error })
    .where("seq", "in", (of) =>
      of.selectFrom("outbox").select("seq")
        .where("endpoint_id", "=", endpoint_id)
        .where(isPending)
        .where("claimable_at", "<", before)
        .orderBy("claimable_at")
        .limit(maxGivenUp))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const claimFrom = async (
  db: Kysely<Database>,
  endpoint_id: number,
  receiver: Receiver,
  { leaseMillis, limit, now }: { readonly limit: number; readonly now: number; readonly leaseMillis: number }
) => {
  const due = await db.selectFrom("outbox").innerJoin("outbox_bodies", "outbox_bodies.seq", "outbox.seq")
    .select([...narrowColumns, "outbox.secret", "outbox_bodies.body"])
    .where("endpoint_id", "=", endpoint_id)
    .where(isPending)
    .where("claimable_at", "<=", now)
    .orderBy("claimable_at")
    .orderBy("outbox.seq")
    .limit(limit)
    .execute()
  if (due.length === 0) return []
  const lease = { started_at: now, leased_until: now + leaseMillis }
  await db.updateTable("outbox")
    .set((row) => ({ ...lease, tries: row("tries", "+", 1) }))
    .where("seq", "in", due.map(({ seq }) => seq))
    .execute()
  return due.map(({ body, secret, ...row }) => ({
    ...readWebhook(row, receiver.endpoint, receiver.scope),
    ...lease,
    tries: row.tries + 1,
    secret,
    body: new Uint8Array(body)
  }))
}

/** `claimDue` of the outbox. Each endpoint is found by the head of its queue, however long the queue is. */
export const claimWebhooks = async (db: Kysely<Database>, { leaseMillis, now, plan }: Claim) => {
  const due = await dueEndpoints(db, plan.exceptScopes)
    .select(["endpoint_id", "endpoint", "org_id", "workspace_id", ...healthColumns])
    .where("visit_at", "<=", now)
    .limit(plan.limit + plan.full)
    .execute()
  const quota = makeQuota(plan)
  const rows = []
  let givenUp = 0
  for (const { endpoint, endpoint_id, ...row } of due) {
    const receiver = { endpoint, scope: scopeOf(row) }
    const health = readHealth(row)
    const before = health.disabled_at === null ? overdueBefore(health) : Infinity
    const error = health.disabled_at === null ? overdueError : disabledError
    const expired = before === null ? 0 : await giveUp(db, endpoint_id, { before, error, now })
    givenUp += expired
    const capacity = health.disabled_at === null && expired < maxGivenUp ? quota.of(receiver) : 0
    const limit = Math.min(capacity, isPaused(health) ? 1 : capacity)
    const taken = limit === 0 ? [] : await claimFrom(db, endpoint_id, receiver, { limit, now, leaseMillis })
    quota.took(receiver, taken.length)
    rows.push(...taken)
    if (limit === 0 && expired === 0) continue
    await db.updateTable("webhook_endpoints")
      .set({
        head_at: selectHead(endpoint_id),
        ...(isPaused(health) && taken.length > 0 ? startProbe(health, now, leaseMillis) : {})
      })
      .where("endpoint_id", "=", endpoint_id)
      .execute()
  }
  return { rows, givenUp }
}

/** `nextDue` of the outbox. */
export const nextDueTime = async (db: Kysely<Database>, plan: ClaimPlan): Promise<Option.Option<number>> => {
  const heads = await dueEndpoints(db, plan.exceptScopes)
    .select(["endpoint", "org_id", "workspace_id", "visit_at"])
    .limit(plan.full + 1)
    .execute()
  const next = heads.find(({ endpoint, ...row }) => hasRoom(plan, { endpoint, scope: scopeOf(row) }))
  return Option.fromNullable(next?.visit_at)
}

/** `enable` of the outbox. */
export const enableEndpoint = (db: Kysely<Database>, { endpoint, scope }: Receiver) =>
  db.updateTable("webhook_endpoints")
    .set({ failures: 0, failed_at: null, pauses: 0, paused_until: 0, probe_at: null, disabled_at: null })
    .where((is) => is.and({ ...scopeColumns(scope), endpoint }))
    .execute()
