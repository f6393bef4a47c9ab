import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"

const statements = [
  `create index workspaces_by_account
    on workspaces (json_extract(body, '$.account_id'), org_id, workspace_id)`,
  `create table buckets (
    owner text not null,
    name text not null,
    full_at integer not null,
    primary key (owner, name)
  ) without rowid`,
  `create index buckets_full on buckets (full_at)`,
  `create table slots (
    owner text not null,
    name text not null,
    holder text not null,
    expires_at integer not null,
    primary key (owner, name, holder)
  ) without rowid`,
  `create index slots_expired on slots (expires_at)`,
  `create table credit_balances (
    account_id text primary key,
    balance integer not null
  ) without rowid`,
  `create table credit_entries (
    seq integer primary key,
    account_id text not null,
    reference text not null,
    kind text not null,
    amount integer not null,
    at integer not null,
    unique (account_id, reference)
  )`,
  `create index credit_entries_newest on credit_entries (account_id, seq)`,
  `create table credit_reservations (
    request_id text primary key,
    account_id text not null,
    key_id text,
    api text not null,
    amount integer not null,
    expires_at integer not null
  ) without rowid`,
  `create index credit_reservations_by_holder on credit_reservations (account_id, key_id, amount)`,
  `create index credit_reservations_expired on credit_reservations (expires_at)`,
  `create table credit_usage (
    account_id text not null,
    day text not null,
    api text not null,
    key_id text not null,
    requests integer not null,
    units text not null,
    cost integer not null,
    charged integer not null,
    primary key (account_id, day, api, key_id)
  ) without rowid`
]

/** Adds the buckets and slots of rate limits, the ledger of credits, and the index of an account's workspaces. */
export const addLimitsAndCredits = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
