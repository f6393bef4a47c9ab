import { type AfterCallJob, AfterCallJobs, AskTally, type ExceptScopes } from "@trunkline/after-call"
import { AttemptId, unchecked } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import { type Kysely, type Selectable, sql } from "kysely"
import { insertRows } from "../fast/ManyRows.js"
import type { Database } from "../schema/Database.js"
import { jsonColumn, scopeOf } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"

const askedColumn = jsonColumn(AskTally)

const columns = {
  attempt_id: "text",
  org_id: "text",
  workspace_id: "text",
  created_at: "number",
  due_at: "number",
  runs: "integer",
  asked: "text"
} as const

const readJob = (row: Selectable<Database["after_call_jobs"]>): AfterCallJob => ({
  attempt_id: AttemptId.make(row.attempt_id, unchecked),
  scope: scopeOf(row),
  created_at: row.created_at,
  due_at: row.due_at,
  runs: row.runs,
  asked: askedColumn.decode(row.asked)
})

/** The jobs of all workspaces but some, the longest due first. */
const inOrder = (db: Kysely<Database>, { exceptScopes }: ExceptScopes) =>
  exceptScopes.reduce(
    (jobs, { org_id, workspace_id }) => jobs.where((eb) => eb.not(eb.and({ org_id, workspace_id }))),
    db.selectFrom("after_call_jobs").orderBy("due_at").orderBy("attempt_id")
  )

/** `AfterCallJobs` in SQL. */
export const AfterCallJobsSql = {
  layer: Layer.effect(
    AfterCallJobs,
    Effect.gen(function*() {
      const { dialect, query, statements, transaction } = yield* Sql
      const insert = insertRows(dialect, "after_call_jobs", { columns, end: "on conflict (attempt_id) do nothing" })
      return AfterCallJobs.of({
        insertMany: (jobs) =>
          statements(() =>
            insert(jobs.map(({ scope: { org_id, workspace_id }, ...job }) => [
              job.attempt_id,
              org_id,
              workspace_id,
              job.created_at,
              job.due_at,
              job.runs,
              askedColumn.encode(job.asked)
            ]))
          ).pipe(Effect.asVoid),
        claim: ({ exceptScopes, leaseMillis, limit, now }) =>
          transaction(query(async (db) => {
            const due = await inOrder(db, { exceptScopes }).selectAll()
              .where("due_at", "<=", now)
              .limit(limit)
              .modifyEnd(sql.raw(dialect.skipLocked))
              .execute()
            if (due.length === 0) return []
            const due_at = now + leaseMillis
            await db.updateTable("after_call_jobs")
              .set((row) => ({ due_at, runs: row("runs", "+", 1) }))
              .where("attempt_id", "in", due.map(({ attempt_id }) => attempt_id))
              .execute()
            return due.map((row) => readJob({ ...row, due_at, runs: row.runs + 1 }))
          })),
        next: (except) =>
          query((db) => inOrder(db, except).select("due_at").limit(1).executeTakeFirst()).pipe(
            Effect.map((row) => Option.fromNullable(row?.due_at))
          ),
        defer: ({ asked: soFar, attempt_id, due_at, runs }) =>
          query((db) =>
            db.updateTable("after_call_jobs").set({ due_at, asked: askedColumn.encode(soFar) })
              .where((eb) => eb.and({ attempt_id, runs }))
              .executeTakeFirst()
          ).pipe(Effect.map(({ numUpdatedRows }) => numUpdatedRows > 0n)),
        remove: ({ attempt_id, runs }) =>
          query((db) => db.deleteFrom("after_call_jobs").where((eb) => eb.and({ attempt_id, runs })).executeTakeFirst())
            .pipe(Effect.map(({ numDeletedRows }) => numDeletedRows > 0n)),
        count: query((db) =>
          db.selectFrom("after_call_jobs").select((of) => of.fn.countAll<number>().as("count")).executeTakeFirst()
        ).pipe(Effect.map((row) => row?.count ?? 0))
      })
    })
  )
}
