import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { byCodePoint } from "./postgres/ByCodePoint.js"
import { onPostgres, onSqlite } from "./tables/TableText.js"

const statements: ReadonlyArray<string> = [
  `create table after_call_jobs (
    attempt_id text primary key,
    org_id text not null,
    workspace_id text not null,
    created_at moment not null,
    due_at moment not null,
    runs integer not null,
    asked text not null
  )`,
  "create index after_call_jobs_due on after_call_jobs (due_at, attempt_id)"
]

/** Adds the work on calls after their end to SQLite. */
export const addAfterCalls = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onSqlite(statements)) await sql.raw(statement).execute(db)
}

/** Adds the same to PostgreSQL. */
export const addPostgresAfterCalls = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onPostgres(statements)) await sql.raw(byCodePoint(statement)).execute(db)
}
