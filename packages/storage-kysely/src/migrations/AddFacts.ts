import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { boards, callsByUser, factIndexes } from "./tables/SharedCallTables.js"
import { onSqlite } from "./tables/TableText.js"

const factsStatements = [
  `create table facts (
    seq integer primary key autoincrement,
    attempt_id text not null unique,
    org_id text not null,
    workspace_id text not null,
    user_identifier text,
    body text
  )`,
  ...onSqlite(factIndexes),
  ...onSqlite(callsByUser)
]

/** Adds the log of facts for warehouses, and the indexes to find everything about one user. */
export const addFacts = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of factsStatements) await sql.raw(statement).execute(db)
}

const boardStatements = [
  ...onSqlite(boards)
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
