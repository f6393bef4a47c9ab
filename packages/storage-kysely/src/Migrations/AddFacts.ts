import { type Kysely, sql } from "kysely"
import type { Database } from "../Database.js"

const statements = [
  `create table facts (
    seq integer primary key autoincrement,
    attempt_id text not null unique,
    org_id text not null,
    workspace_id text not null,
    user_identifier text,
    body text
  )`,
  "create index facts_by_workspace on facts (org_id, workspace_id, seq)",
  "create index facts_by_user on facts (org_id, workspace_id, user_identifier) where user_identifier is not null",
  "create index calls_by_user on calls (org_id, workspace_id, user_identifier)"
]

/** The log that warehouses are filled from, and the way to all that is known of a person. */
export const addFacts = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
