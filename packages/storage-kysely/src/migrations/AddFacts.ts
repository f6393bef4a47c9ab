import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"

const factsStatements = [
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

/** Adds the log of facts for warehouses, and the indexes to find everything about one user. */
export const addFacts = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of factsStatements) await sql.raw(statement).execute(db)
}

const boardStatements = [
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

/** Adds analytics boards. */
export const addBoards = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of boardStatements) await sql.raw(statement).execute(db)
}

const stopFileStatements = [
  "alter table dispatch add column stops_seq integer not null default 0",
  "alter table dispatch add column stops_row integer not null default 0"
]

/** Adds the position up to which a campaign has read its stop files. */
export const addStopFiles = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of stopFileStatements) await sql.raw(statement).execute(db)
}
