import { scopeKey } from "@trunkline/kernel"
import {
  disabledError,
  Outbox,
  type OutboxRow,
  ownedEndpoint,
  type Receiver,
  RetiredSecrets,
  RetiredSecretStore,
  webhookIdOf
} from "@trunkline/webhooks"
import { Array, Effect, Layer, Option } from "effect"
import { inBatches, jsonColumn, scopeColumns } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import type { Statements } from "../sql/Statement.js"
import { completeWebhook } from "./CompleteBody.js"
import { endpointHeads, type EndpointRow, type QueuedReceiver } from "./EndpointHeads.js"
import { claimWebhooks, enableEndpoint, nextDueTime } from "./OutboxClaims.js"
import { hasStatus, pageOfWebhooks } from "./OutboxPages.js"
import { recordResults } from "./OutboxResults.js"
import { insertWebhooks, type NewWebhook } from "./OutboxRows.js"

/** Makes webhooks of a campaign due at once, and their endpoints healthy; returns how many. */
const replay = (
  sql: typeof Sql.Service,
  webhook_ids: ReadonlyArray<string>,
  { campaign_id, now, scope }: Pick<Parameters<typeof Outbox.Service["replay"]>[0], "campaign_id" | "now" | "scope">
): Effect.Effect<number> =>
  Effect.gen(function*() {
    const rows = yield* sql.query((db) =>
      db.selectFrom("outbox").select(["seq", "url"])
        .where("webhook_id", "in", webhook_ids)
        .where((eb) => eb.and({ ...scopeColumns(scope), campaign_id }))
        .where((eb) => eb.not(hasStatus("running", now)))
        .execute()
    )
    if (rows.length === 0) return 0
    yield* sql.query((db) =>
      db.updateTable("outbox")
        .set({ state: "pending", tries: 0, due_at: now, leased_until: 0, finished_at: null })
        .where("seq", "in", rows.map(({ seq }) => seq))
        .execute()
    )
    for (const endpoint of new Set(rows.map(({ url }) => ownedEndpoint(url)).sort())) {
      yield* sql.query((db) => enableEndpoint(db, { scope, endpoint }))
      yield* sql.statements(() => endpointHeads(sql.dialect).queue({ scope, endpoint, due_at: now }))
    }
    return rows.length
  })

/** Adds webhooks in order. Each endpoint is looked up once, however many webhooks it gets, and all in one order. */
const enqueueWebhooks = (dialect: SqlDialect) => {
  const insert = insertWebhooks(dialect)
  const heads = endpointHeads(dialect)
  const keyOf = ({ endpoint, scope }: Receiver) => `${scopeKey(scope)} ${endpoint}`
  return function*(rows: ReadonlyArray<OutboxRow>): Statements<void> {
    const receivers = new Map<string, QueuedReceiver>()
    for (const row of rows) {
      const { due_at, endpoint, scope } = row
      const earliest = Math.min(receivers.get(keyOf(row))?.due_at ?? Infinity, due_at)
      receivers.set(keyOf(row), { scope, endpoint, due_at: earliest })
    }
    const endpoints = new Map<string, EndpointRow>()
    for (const [key, receiver] of [...receivers].sort(([one], [other]) => one < other ? -1 : 1)) {
      endpoints.set(key, yield* heads.queue(receiver))
    }
    yield* insert(rows.map((row): NewWebhook => {
      const { disabled_at, endpoint_id } = Option.getOrThrow(Option.fromNullable(endpoints.get(keyOf(row))))
      const dead = { state: "dead", finished_at: row.due_at, last_error: disabledError } as const
      return { webhook: disabled_at === null ? row : { ...row, ...dead }, endpoint_id }
    }))
  }
}

/** Reads from an index: one entry for each receiver with webhooks, and for each of the first 100,000 of these. */
const readBacklog = `
  select
    (select count(*) from (select 1 from outbox where state = 'pending' limit 100000) as waiting) as pending,
    (select min(first_at) from (
      select (
        select min(claimable_at) from outbox
        where outbox.endpoint_id = webhook_endpoints.endpoint_id and state = 'pending'
      ) as first_at
      from webhook_endpoints where head_at is not null
    ) as heads) as due_since
`

/** `Outbox` in SQL. */
export const OutboxSql = {
  layer: Layer.effect(
    Outbox,
    Effect.gen(function*() {
      const sql = yield* Sql
      const { dialect, query, transaction } = sql
      const enqueue = enqueueWebhooks(dialect)
      const record = recordResults(dialect)
      const claim = claimWebhooks(dialect)
      const complete = completeWebhook(dialect)
      return Outbox.of({
        enqueueMany: (rows) => sql.statements(() => enqueue(rows)),
        completeBody: (webhook) => sql.statements(() => complete(webhook)),
        claimDue: (options) => sql.statements(() => claim(options)),
        nextDue: (plan) => nextDueTime(sql, plan),
        record: (results) => results.length === 0 ? Effect.void : sql.statements(() => record(results)),
        replay: ({ attempt_ids, ...options }) =>
          inBatches(Array.dedupe(attempt_ids), (batch) => replay(sql, batch.map(webhookIdOf), options))
            .pipe(
              Effect.map((counts) => counts.reduce((sum, count) => sum + count, 0)),
              transaction
            ),
        enable: (scope, url) =>
          Effect.asVoid(query((db) => enableEndpoint(db, { scope, endpoint: ownedEndpoint(url) }))),
        backlog: Effect.map(
          sql.execute<{ readonly pending: number; readonly due_since: number | null }>(readBacklog, []),
          ({ rows: [row] }) => ({ pending: row?.pending ?? 0, dueSince: row?.due_since ?? null })
        ),
        counts: (scope, campaign_id) =>
          query((db) =>
            db.selectFrom("outbox")
              .select((of) => ["state", of.fn.countAll<number>().as("count")])
              .where((eb) => eb.and({ ...scopeColumns(scope), ...(campaign_id === null ? {} : { campaign_id }) }))
              .groupBy("state")
              .execute()
          ).pipe(Effect.map((rows) => {
            const counts = { pending: 0, delivered: 0, dead: 0 }
            for (const { count, state } of rows) counts[state] = count
            return counts
          })),
        listByCampaign: (page) => query((db) => pageOfWebhooks(db, dialect, page))
      })
    })
  )
}

const retiredSecrets = jsonColumn(RetiredSecrets)

/** `RetiredSecretStore` in SQL. */
export const RetiredSecretsSql = {
  layer: Layer.effect(
    RetiredSecretStore,
    Effect.gen(function*() {
      const { query } = yield* Sql
      return RetiredSecretStore.of({
        find: (scope, { id, kind }) =>
          query((db) =>
            db.selectFrom("webhook_secrets").select("body")
              .where((eb) => eb.and({ ...scopeColumns(scope), owner_kind: kind, owner_id: id }))
              .executeTakeFirst()
          ).pipe(Effect.map(retiredSecrets.read)),
        put: (scope, { id, kind }, secrets) =>
          query((db) =>
            db.insertInto("webhook_secrets")
              .values({ ...scopeColumns(scope), owner_kind: kind, owner_id: id, body: retiredSecrets.encode(secrets) })
              .onConflict((conflict) =>
                conflict.columns(["org_id", "workspace_id", "owner_kind", "owner_id"])
                  .doUpdateSet({ body: retiredSecrets.encode(secrets) })
              )
              .execute()
          ).pipe(Effect.asVoid)
      })
    })
  )
}
