import { AttemptId, CampaignId, InteractionId, OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { WarehouseSqlite } from "@trunkline/sqlite"
import { createStatements, type Fact, type FactNames, factRow, upsertFact, Warehouse } from "@trunkline/warehouse"
import { factOf } from "@trunkline/warehouse/fixtures"
import Database from "better-sqlite3"
import { Context, Effect, Exit, Layer, Scope as Lifetime } from "effect"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lagWhile, ms, percentile, timed } from "./boards-timing.js"

const facts = Number(process.env["FACTS"] ?? 1_000_000)
const batch = 200
const bareFacts = Math.min(facts, 100_000)
const rounds = 5

const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })
const names = { app_name: "Support", campaign_name: "June", cohort_name: "All" }

const languages = ["Hindi", "Tamil", "Bengali", "English"]

/** Half a year of calls: 20 campaigns, a third unanswered, some 300,000 contacts. */
const factAt = (index: number): Fact & FactNames => {
  const at = Math.floor(index * 15_552_000 / facts)
  const [person, answered] = [(index * 7_919) % 300_007, index % 3 !== 0]
  return {
    ...factOf(scope, at, {
      attempt_id: AttemptId.make(`attempt-${index}`),
      interaction_id: answered ? InteractionId.make(`interaction-${index}`) : null,
      campaign_id: CampaignId.make(`camp-${index % 20}`),
      user_identifier: `person-${person}`,
      user_contact_hashed: `hash-${person}`,
      retry_attempt: index % 4,
      ...(answered
        ? {
          duration: 20 + (index * 31) % 280,
          language_name: languages[index % 4] ?? null,
          output_agent_variables: { promise_to_pay: index % 5 === 0 ? "yes" : "no" }
        }
        : {
          start_datetime: null,
          end_datetime: null,
          duration: null,
          connectivity_status: "no_answer",
          completion_status: "failed"
        })
    }),
    ...names
  }
}

const batchAt = (start: number) => Array.from({ length: Math.min(batch, facts - start) }, (_, i) => factAt(start + i))

const questions: ReadonlyArray<readonly [string, string]> = [
  ["calls a day, half a year", "SELECT effective_date, count(*) FROM EngagementFactsBoardsView GROUP BY 1 ORDER BY 1"],
  [
    "how calls end, by campaign",
    `SELECT campaign_id, v2v_connectivity_status, completion_status, count(*) FROM EngagementFactsBoardsView
     GROUP BY 1, 2, 3`
  ],
  [
    "usual and long conversations by language",
    `SELECT language_name, median(audio_duration), percentile(audio_duration, 95) FROM EngagementFactsBoardsView
     WHERE audio_duration IS NOT NULL GROUP BY 1`
  ],
  [
    "distinct contacts by month",
    `SELECT substr(effective_date, 1, 7), count(DISTINCT user_contact_hashed) FROM EngagementFactsBoardsView GROUP BY 1`
  ],
  [
    "one week, promises",
    `SELECT app_id, count(*) FILTER (WHERE output_agent_variables ->> 'promise_to_pay' = 'yes')
     FROM EngagementFactsBoardsView
     WHERE effective_datetime >= '2026-03-01T00:00:00.000Z' AND effective_datetime < '2026-03-08T00:00:00.000Z'
     GROUP BY 1`
  ]
]

/** Runs until it is killed, since no index can answer it. */
const worst = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

const ingestBare = (file: string): number => {
  const db = new Database(file)
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = NORMAL")
  for (const statement of createStatements) db.exec(statement)
  const insert = db.prepare(upsertFact)
  let inserting = 0
  for (let start = 0; start < bareFacts; start += batch) {
    const rows = batchAt(start).map(factRow)
    const before = performance.now()
    db.transaction(() => rows.forEach((row) => insert.run(row)))()
    inserting += performance.now() - before
  }
  db.close()
  return bareFacts / inserting * 1_000
}

const main = async (folder: string) => {
  const lifetime = Effect.runSync(Lifetime.make())
  const context = await Effect.runPromise(Layer.buildWithScope(WarehouseSqlite.layer({ folder }), lifetime))
  const warehouse = Context.get(context, Warehouse)
  try {
    const apply = (start: number, batch: ReadonlyArray<Fact & FactNames>) => {
      const changes = batch.map((fact) => ({ attempt_id: fact.attempt_id, fact }))
      return Effect.runPromise(warehouse.apply(scope, { from: start, to: start + changes.length, changes }))
    }
    let [ingesting, lag] = [0, 0]
    for (let start = 0; start < facts; start += batch) {
      const made = batchAt(start)
      const stood = await lagWhile(async () => {
        ingesting += (await timed(() => apply(start, made))).took
      })
      lag = Math.max(lag, stood)
    }
    const ours = facts / ingesting * 1_000
    const bare = ingestBare(join(folder, "bare.db"))
    console.log(`Facts ingested, ${facts.toLocaleString("en")} of them`)
    console.log(`  trunkline: ${Math.round(ours).toLocaleString("en")} a second, in another process`)
    console.log(`  bare better-sqlite3, in this one: ${Math.round(bare).toLocaleString("en")} a second`)
    console.log(`    ratio: ${(ours / bare).toFixed(2)}x as many; the event loop stood still for ${ms(lag)} at most`)

    const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".sqlite"))
    const db = new Database(join(folder, file), { readonly: true })
    console.log("Board queries")
    for (const [title, text] of questions) {
      const [sandboxed, direct]: [Array<number>, Array<number>] = [[], []]
      for (let round = 0; round <= rounds; round++) {
        const here = await timed(() =>
          Effect.runPromise(warehouse.query(scope, { text, parameters: [], maxRows: 1_000 }))
        )
        const there = await timed(() => db.prepare(text).raw().all())
        if (round === 0) continue
        sandboxed.push(here.took)
        direct.push(there.took)
      }
      const [a, b] = [percentile(sandboxed, 50), percentile(direct, 50)]
      console.log(`  ${title}: ${ms(a)} in the sandbox, ${ms(b)} bare`)
      console.log(`    ratio: ${(a / b).toFixed(2)}x the time`)
    }
    db.close()

    const stuck = await lagWhile(() =>
      Effect.runPromise(Effect.exit(Effect.all(
        [1, 2].map(() => warehouse.query(scope, { text: worst, parameters: [], maxRows: 1_000 })),
        { concurrency: 2 }
      )))
    )
    console.log(
      `Two queries without an end, until they are killed: the event loop stood still for ${ms(stuck)} at most`
    )
  } finally {
    await Effect.runPromise(Lifetime.close(lifetime, Exit.void))
  }
}

const folder = mkdtempSync(join(tmpdir(), "bench-boards-"))
try {
  await main(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
