import { type CallQuery, CallRecord, CallRecords, type FilterCondition } from "@trunkline/analytics"
import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  InteractionId,
  OrgId,
  PhoneNumber,
  Scope,
  WorkspaceId
} from "@trunkline/kernel"
import { slowReadsBeside, StorageSqlite } from "@trunkline/sqlite"
import Database from "better-sqlite3"
import { Context, DateTime, Effect, Exit, Layer, Scope as Lifetime } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lagWhile, ms, percentile, timed } from "./boards-timing.js"

const attempts = Number(process.env["ATTEMPTS"] ?? 1_000_000)
/** Calls recorded one by one; the rest are copies of them at other times. */
const recorded = 2_000
const pages = 300
const day = 86_400

const agents = 7
const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })
const busiest = { scope, app_id: AppId.make("support") }

const second = (seconds: number) => DateTime.add(DateTime.unsafeMake("2026-01-01T00:00:00Z"), { seconds })

const recordAt = (index: number, at: number): CallRecord =>
  new CallRecord({
    ...scope,
    app_id: busiest.app_id,
    attempt_id: AttemptId.make(`attempt-${index}`),
    app_version: 1,
    deployment_id: null,
    campaign_id: CampaignId.make("camp-a1b2c3d4e5f6"),
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    user_identifier: `person-${index % 997}`,
    user_contact: PhoneNumber.make("+919876543210"),
    user_contact_hashed: "5f".repeat(32),
    channel_direction: "outbound",
    channel_type: "v2v",
    channel_provider: "simulator",
    channel_protocol: "simulated",
    retry_attempt: 0,
    server_retry_attempt: 0,
    is_debug_call: 0,
    has_log_issues: 0,
    job_id: null,
    correlation_id: null,
    attempted_at: second(at),
    completion_status: "completed",
    connectivity_status: "connected",
    next_action_status: null,
    failure_reason: index % 9 === 0 ? `reason ${index}` : null,
    conversation: {
      interaction_id: InteractionId.make(`interaction-${index}`),
      start_datetime: second(at + 5),
      end_datetime: second(at + 65),
      duration_in_seconds: 20 + index % 280,
      language_name: "Hindi",
      num_messages: 4,
      average_agent_response_time_in_seconds: 0.75,
      average_user_response_time_in_seconds: null,
      audio_url: null,
      ended_by: "AGENT_ENDS",
      agent_variables: { name: "Asha" }
    }
  })

const build = async (file: string) => {
  const lifetime = Effect.runSync(Lifetime.make())
  const layer = Layer.orDie(StorageSqlite.layer({ file }))
  const records = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, lifetime)), CallRecords)
  for (let index = 0; index < recorded; index++) {
    const spread = Math.floor(index * 300 * day / recorded)
    await Effect.runPromise(records.recordMany([{ record: recordAt(index, spread), transcript: null }]))
  }
  await Effect.runPromise(Lifetime.close(lifetime, Exit.void))

  const db = new Database(file)
  const columns = db.prepare("select name from pragma_table_info('calls')").pluck().all().map(String)
  const values = columns.map((name) => {
    if (name === "attempt_id") return "attempt_id || '-' || n.i"
    if (name === "app_id") return `case when n.i % ${agents} = 0 then app_id else app_id || (n.i % ${agents}) end`
    return ["attempted_at", "start_datetime", "end_datetime"].includes(name) ? `${name} + n.i * 137` : name
  })
  db.exec(`insert into calls (${columns.join(", ")})
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${Math.floor(attempts / recorded) - 1})
    select ${values.join(", ")} from calls, n`)
  db.exec("analyze")
  db.close()
}

const condition = (field: string, operator: "includes" | "ends_with", value: string): FilterCondition => ({
  id: "1",
  kind: "string",
  field,
  operator,
  value
})

const span = (days: number, change: Partial<CallQuery> = {}): CallQuery => ({
  start_datetime: second((300 - days) * day),
  end_datetime: second(301 * day),
  limit: 20,
  offset: 0,
  sort_order: "desc",
  filter_conditions: [],
  ...change
})

const cases: ReadonlyArray<readonly [string, CallQuery, number]> = [
  ["newest page of 1 day", span(1), pages],
  ["newest page of 30 days", span(30), pages],
  ["newest page of 300 days", span(300), pages],
  ["page 1,000 of 300 days", span(300, { offset: 20_000 }), pages],
  [
    "text that is rarely included, 300 days",
    span(300, {
      filter_conditions: [condition("failure_reason", "includes", "reason 1999")]
    }),
    20
  ],
  [
    "a variable's end, 300 days",
    span(300, {
      filter_conditions: [condition("agent_variables.name", "ends_with", "sha")]
    }),
    10
  ],
  ["longest of 300 days", span(300, { sort_by: "duration_in_seconds" }), 20]
]

const ofAgent = "org_id = ? and workspace_id = ? and app_id = ? and attempted_at >= ? and attempted_at < ?"

/** Time that SQLite itself takes for the two statements of a plain page, in this process. */
const bare = (file: string, { end_datetime, offset, start_datetime }: CallQuery): ReadonlyArray<number> => {
  const db = new Database(file, { readonly: true })
  const values = [
    scope.org_id,
    scope.workspace_id,
    busiest.app_id,
    DateTime.toEpochMillis(start_datetime),
    DateTime.toEpochMillis(end_datetime)
  ]
  const count = db.prepare(`select count(*) from calls where ${ofAgent}`)
  const page = db.prepare(
    `select body from calls where ${ofAgent} order by attempted_at desc nulls last, attempt_id limit 20 offset ?`
  )
  const took = Array.from({ length: pages }, () => {
    const started = performance.now()
    count.get(values)
    page.all([...values, offset])
    return performance.now() - started
  })
  db.close()
  return took
}

const main = async (file: string) => {
  await build(file)
  const lifetime = Effect.runSync(Lifetime.make())
  const layer = Layer.orDie(Layer.provide(StorageSqlite.layer({ file }), slowReadsBeside({ file })))
  const records = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, lifetime)), CallRecords)
  const ask = (query: CallQuery) => Effect.runPromise(records.query({ ...busiest, kind: "attempts", query }))
  try {
    console.log(`Call lists over ${attempts.toLocaleString("en")} attempts of ${agents} agents`)
    for (const [title, query, times] of cases) {
      const { result } = await timed(() => ask(query))
      const took: Array<number> = []
      const lag = await lagWhile(async () => {
        for (let index = 0; index < times; index++) took.push((await timed(() => ask(query))).took)
      })
      console.log(
        `  ${title}: p50 ${ms(percentile(took, 50))}, p99 ${ms(percentile(took, 99))} (${
          result.total.toLocaleString("en")
        } found); the event loop stood still for ${ms(lag)} at most`
      )
      if (query.filter_conditions.length === 0 && query.sort_by === undefined) {
        const alone = bare(file, query)
        console.log(`    SQLite alone: p50 ${ms(percentile(alone, 50))}, p99 ${ms(percentile(alone, 99))}`)
      }
    }
  } finally {
    await Effect.runPromise(Lifetime.close(lifetime, Exit.void))
  }
}

const folder = mkdtempSync(join(tmpdir(), "bench-lists-"))
try {
  await main(join(folder, "trunkline.db"))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
