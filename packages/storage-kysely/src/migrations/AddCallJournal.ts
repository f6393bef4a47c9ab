import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"

/** Adds the entries of calls that go on, by their order of arrival. */
export const addCallJournal = async (db: Kysely<Database>): Promise<void> => {
  await sql`
    create table call_journal (
      place integer primary key autoincrement,
      attempt_id text not null,
      entry text not null
    )
  `.execute(db)
  await sql`create index call_journal_by_attempt on call_journal (attempt_id, place)`.execute(db)
}
