import { assert, describe, it } from "@effect/vitest"
import { AttemptId, CampaignId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { migrate, migrations, OutboxSql, Sql } from "@trunkline/storage-kysely"
import { newOutboxRow, Outbox, RunningTries } from "@trunkline/webhooks"
import { claimAt, enqueueAll, planFor, tryResultOf, webhook } from "@trunkline/webhooks/testing"
import BetterSqlite from "better-sqlite3"
import { Effect, Layer, Option } from "effect"
import { sql, type SqliteDatabase, SqliteDialect } from "kysely"

/** Number of migrations before webhooks had endpoints. */
const before = 11

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const dead = "https://dead.example/hook"
const backlog = 100_000

interface Ran {
  readonly sql: string
  readonly rows: number
  readonly plan: ReadonlyArray<string>
}

/** A database that writes down the statements that read and change webhooks: their rows and their plans. */
const listened = (heard: Array<Ran>) => {
  const database = new BetterSqlite(":memory:")
  const isOurs = (text: string) => /outbox|webhook_/.test(text) && !/^\s*(create|alter|drop)/.test(text)
  const listening: SqliteDatabase = {
    close: () => void database.close(),
    prepare: (text) => {
      const statement = database.prepare<ReadonlyArray<unknown>>(text)
      const ran = <A>(parameters: ReadonlyArray<unknown>, rows: number, result: A): A => {
        if (!isOurs(text)) return result
        const steps = database.prepare<ReadonlyArray<unknown>, { readonly detail: string }>(
          `explain query plan ${text}`
        )
        heard.push({ sql: text, rows, plan: steps.all(parameters).map(({ detail }) => detail) })
        return result
      }
      return {
        reader: statement.reader,
        all: (parameters) => {
          const rows = statement.all(parameters)
          return ran(parameters, rows.length, rows)
        },
        run: (parameters) => {
          const result = statement.run(parameters)
          return ran(parameters, result.changes, result)
        },
        iterate: (parameters) => statement.iterate(parameters)
      }
    }
  }
  return Layer.fresh(Sql.layer(new SqliteDialect({ database: listening })))
}

/** Statements of a delivery to a healthy receiver, each with its query plan. */
const deliver = (backlogged: boolean) => {
  const heard: Array<Ran> = []
  return Effect.gen(function*() {
    const { query } = yield* Sql
    yield* migrate()
    return yield* Effect.gen(function*() {
      const outbox = yield* Outbox
      const failing = Array.from({ length: 5 }, () => webhook({ url: dead }))
      yield* enqueueAll(failing)
      yield* outbox.record((yield* claimAt(0)).map((row) => tryResultOf(row, 500, 1_000)))
      if (backlogged) {
        yield* query((db) =>
          sql`
            insert into outbox (webhook_id, endpoint_id, org_id, workspace_id, campaign_id, attempt_id, url, state, tries,
              due_at, leased_until, created_at)
            with recursive number (n) as (select 1 union all select n + 1 from number where n < ${backlog})
            select 'backlog-' || n, endpoint_id, org_id, workspace_id, 'camp-1', 'backlog-' || n, ${dead}, 'pending', 0,
              1500, 0, 1000
            from number, webhook_endpoints
          `.execute(db)
        )
      }
      yield* query((db) => sql`update webhook_endpoints set head_at = 1500`.execute(db))
      yield* query((db) => sql`analyze`.execute(db))
      heard.length = 0
      const running = new RunningTries({ total: 256, perEndpoint: 10 })
      yield* outbox.enqueueMany([webhook({ url: "https://well.example/", due_at: 2_000, campaign_id })])
      assert.deepStrictEqual(yield* outbox.nextDue(running.plan()), Option.some(2_000))
      const rows = yield* claimAt(2_000, running.plan())
      assert.deepStrictEqual(rows.map(({ url }) => url), ["https://well.example/"])
      yield* outbox.record(rows.map((row) => tryResultOf(row, 200, 2_010)))
      assert.deepStrictEqual(yield* outbox.nextDue(planFor(9)), Option.some(31_000))
      yield* outbox.listByCampaign({ scope, campaign_id, limit: 50 })
      for (const is of ["pending", "running", "delivered", "failed"] as const) {
        const camp = CampaignId.make(is === "running" ? "camp-1" : campaign_id)
        yield* outbox.listByCampaign({ scope, campaign_id: camp, limit: 50, status: { is, now: 2_020 } })
      }
      return heard
    }).pipe(Effect.provide(OutboxSql.layer))
  }).pipe(Effect.provide(listened(heard)))
}

describe("a hundred thousand webhooks for a receiver that fails", () => {
  it.effect("cost the others nothing: their statements read a few rows by key", () =>
    Effect.gen(function*() {
      const [without, beside] = yield* Effect.all([deliver(false), deliver(true)])
      const read = (ran: ReadonlyArray<Ran>) => ran.map(({ rows, sql }) => [sql.trim().slice(0, 60), rows])
      assert.isAtLeast(beside.length, 12)
      assert.deepStrictEqual(read(beside), read(without))
      for (const { plan, rows, sql } of beside) {
        assert.isAtMost(rows, 1, sql)
        const scans = plan.filter((step) => /^SCAN (?!result VIRTUAL|CONSTANT)|TEMP B-TREE/.test(step))
        assert.deepStrictEqual(scans, [], sql)
      }
      const running = beside.filter(({ plan }) => plan.some((step) => step.includes("outbox_running")))
      assert.lengthOf(running, 1)
    }))
})

describe("the outbox of a version without endpoints", () => {
  const old = (id: string, given: Readonly<Record<string, string | number | null>> = {}) => ({
    webhook_id: `att_${id}`,
    org_id: "acme",
    workspace_id: "main",
    campaign_id: "camp-a1b2c3d4e5f6",
    attempt_id: id,
    url: dead,
    origin: "https://dead.example",
    secret: "s",
    state: "pending",
    tries: 0,
    due_at: 0,
    leased_until: 0,
    started_at: null,
    finished_at: null,
    last_status: null,
    last_error: null,
    created_at: 1_000,
    ...given
  })

  it.effect("keeps every webhook, its bytes and its state, and continues delivery", () =>
    Effect.gen(function*() {
      const { query } = yield* Sql
      yield* migrate(migrations.slice(0, before))
      const single = { campaign_id: null, url: "https://single.example/a?b", origin: "https://single.example" }
      const rows = [
        old("1"),
        old("2", { tries: 2, due_at: 5_000, last_status: 500, last_error: "HTTP 500", started_at: 400 }),
        old("3", { state: "delivered", tries: 1, finished_at: 300, last_status: 200 }),
        old("4", single),
        old("5", { workspace_id: "other" })
      ]
      for (const row of rows) {
        const columns = Object.keys(row).map((column) => sql.ref(column))
        yield* query((db) =>
          sql`insert into outbox (body, ${sql.join(columns)}) values (${body}, ${sql.join(Object.values(row))})`
            .execute(db)
        )
      }
      const started = Date.now()
      yield* migrate()
      yield* Effect.gen(function*() {
        const outbox = yield* Outbox
        assert.deepStrictEqual(yield* outbox.counts(scope, null), { pending: 3, delivered: 1, dead: 0 })
        assert.deepStrictEqual(yield* outbox.nextDue(planFor(9)), Option.some(5_000))
        const claimed = yield* claimAt(started + 60_000)
        const [first, second, ...others] = claimed.toSorted((a, b) => a.webhook_id < b.webhook_id ? -1 : 1)
        assert.deepStrictEqual(first, {
          ...newOutboxRow({
            scope,
            campaign_id,
            deployment_id: null,
            attempt_id: AttemptId.make("1"),
            url: dead,
            secret: "s",
            body,
            created_at: 1_000,
            now: first?.due_at ?? 0
          }),
          tries: 1,
          started_at: started + 60_000,
          leased_until: started + 60_100
        })
        assert.isAtLeast(first?.due_at ?? 0, Math.floor(started / 1000) * 1000)
        assert.deepInclude(second, { tries: 3, last_status: 500, last_error: "HTTP 500", due_at: 5_000 })
        assert.deepStrictEqual(others.map(({ endpoint }) => endpoint), ["* https://single.example", dead])
        yield* outbox.record(claimed.map((row) => tryResultOf(row, 200, started)))
        assert.deepStrictEqual(yield* outbox.counts(scope, null), { pending: 0, delivered: 4, dead: 0 })
        assert.strictEqual(
          yield* outbox.replay({ scope, campaign_id, attempt_ids: [AttemptId.make("3")], now: 9 }),
          1
        )
        const [again] = yield* claimAt(started)
        assert.deepStrictEqual(again?.body, body)
      }).pipe(Effect.provide(OutboxSql.layer))
    }).pipe(Effect.provide(listened([]))))
})
