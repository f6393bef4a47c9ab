import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"

/** The fields that move from an attempt's body to columns. */
const columns = ["attempt_id", "state", "connection_id", "attempted_at", "provider_call_id", "result"]
const paths = columns.map((name) => `'$.${name}'`).join(", ")

const callSafetyStatements = [
  "alter table attempts rename to former_attempts",
  "drop index attempts_unfinished",
  `create table attempts (
    attempt_id text primary key,
    state text not null,
    connection_id text not null,
    attempted_at real not null,
    provider_call_id text,
    result text,
    body text not null
  )`,
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
  `create index attempts_unfinished on attempts (attempt_id) where state <> 'ended'`,
  `create table blocked_numbers (
    org_id text not null,
    workspace_id text not null,
    phone_number text not null,
    reason text,
    created_at integer not null,
    created_by text not null,
    primary key (org_id, workspace_id, phone_number)
  ) without rowid`,
  `create index blocked_numbers_newest on blocked_numbers (org_id, workspace_id, created_at desc, phone_number)`,
  `create table blocked_totals (
    org_id text not null,
    workspace_id text not null,
    total integer not null,
    primary key (org_id, workspace_id)
  ) without rowid`,
  `create table call_events (
    place integer primary key autoincrement,
    provider text not null,
    event_id text not null,
    provider_call_id text not null,
    attempt_id text,
    received_at real not null,
    news text not null,
    unique (provider, event_id)
  )`,
  "create index call_events_by_call on call_events (provider, provider_call_id, place)",
  `create index call_events_by_attempt on call_events (provider, attempt_id, place) where attempt_id is not null`,
  "create index call_events_by_age on call_events (received_at, place)"
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
