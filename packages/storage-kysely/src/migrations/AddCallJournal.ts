import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { byCodePoint } from "./postgres/ByCodePoint.js"
import { onPostgres, onSqlite } from "./tables/TableText.js"

const statements: ReadonlyArray<string> = [
  `create table call_journal (
    place fresh_key,
    attempt_id text not null,
    entry text not null
  )`,
  "create index call_journal_by_attempt on call_journal (attempt_id, place)"
]

/** Adds the entries of calls that go on, by their order of arrival, to SQLite. */
export const addCallJournal = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onSqlite(statements)) await sql.raw(statement).execute(db)
}

/** Adds the same to PostgreSQL. */
export const addPostgresCallJournal = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of onPostgres(statements)) await sql.raw(byCodePoint(statement)).execute(db)
}
