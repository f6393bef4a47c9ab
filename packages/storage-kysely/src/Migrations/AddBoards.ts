import { type Kysely, sql } from "kysely"
import type { Database } from "../Database.js"

const statements = [
  `create table boards (
    id text primary key,
    org_id text not null,
    workspace_id text not null,
    name text not null,
    updated_at integer not null,
    summary text not null,
    body text not null,
    unique (org_id, workspace_id, name)
  )`,
  "create index boards_by_workspace on boards (org_id, workspace_id, updated_at desc, id)"
]

/** The boards of analysts, each whole in a row. */
export const addBoards = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
