import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { attempts, callSafety, unfinishedAttempts } from "./tables/SharedCallTables.js"
import { onSqlite } from "./tables/TableText.js"

/** The fields that move from an attempt's body to columns. */
const columns = ["attempt_id", "state", "connection_id", "attempted_at", "provider_call_id", "result"]
const paths = columns.map((name) => `'$.${name}'`).join(", ")

const callSafetyStatements = [
  "alter table attempts rename to former_attempts",
  "drop index attempts_unfinished",
  ...onSqlite(attempts),
  `insert into attempts
    select
      attempt_id,
      state,
      body ->> '$.connection_id',
      body ->> '$.attempted_at',
      body ->> '$.provider_call_id',
      nullif(body -> '$.result', 'null'),
      json_remove(body, ${paths})
    from former_attempts
    order by attempt_id`,
  "drop table former_attempts",
  ...onSqlite(unfinishedAttempts),
  ...onSqlite(callSafety)
]

/**
 * Gives the changing fields of attempts columns of their own, and adds the numbers that a workspace never calls and the
 * events that providers report.
 */
export const addCallSafety = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of callSafetyStatements) await sql.raw(statement).execute(db)
}

const ownershipStatements: ReadonlyArray<string> = [
  `create table ownership (
    id integer primary key check (id = 1),
    owner text not null,
    lock text not null,
    fence integer not null,
    beat integer not null,
    beat_at integer not null,
    lease_millis integer not null
  )`
]

/** Adds the owner of the database, and the fence that keeps former owners from writing. */
export const addOwnership = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of ownershipStatements) await sql.raw(statement).execute(db)
}
