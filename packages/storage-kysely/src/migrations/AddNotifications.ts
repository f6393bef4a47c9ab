import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"

const notificationStatements = [
  `create table notification_rules (
    rule_id text primary key,
    org_id text not null,
    workspace_id text not null,
    board_id text not null,
    widget_id text not null,
    created_at integer not null,
    next_run_at integer,
    body text not null
  )`,
  `create index notification_rules_by_board
    on notification_rules (org_id, workspace_id, board_id, created_at desc, rule_id)`,
  `create index notification_rules_due on notification_rules (next_run_at, rule_id) where next_run_at is not null`,
  `create table notification_runs (
    run_id text primary key,
    rule_id text not null references notification_rules on delete cascade,
    org_id text not null,
    workspace_id text not null,
    scheduled_for integer not null,
    state text not null,
    claims integer not null,
    releases integer not null,
    first_claimed_at integer,
    leased_until integer not null,
    report text,
    unique (rule_id, scheduled_for)
  )`,
  `create index notification_runs_due on notification_runs (scheduled_for, run_id) where state = 'pending'`,
  `create index notification_runs_claimable on notification_runs (leased_until) where state = 'pending'`,
  `create table notification_deliveries (
    delivery_id text primary key,
    run_id text not null references notification_runs on delete cascade,
    rule_id text not null,
    org_id text not null,
    workspace_id text not null,
    scheduled_for integer not null,
    channel text not null,
    state text not null,
    tries integer not null,
    due_at integer not null,
    leased_until integer not null,
    claimable_at integer not null generated always as (max(due_at, leased_until)) stored,
    last_error text,
    error_code text,
    started_at integer,
    finished_at integer,
    row_count integer,
    truncated integer,
    settled text not null,
    unique (run_id, channel)
  )`,
  `create index notification_deliveries_due on notification_deliveries (channel, claimable_at, delivery_id)
    where state = 'pending'`,
  `create index notification_deliveries_by_rule on notification_deliveries (rule_id, scheduled_for desc, channel)`
]

/** Adds notification rules, their runs, and a delivery for each channel of a run. */
export const addNotifications = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of notificationStatements) await sql.raw(statement).execute(db)
}

const voiceStatements = [
  `create table voices (
    voice_id text primary key,
    account_id text not null,
    search text not null,
    name text not null,
    created_at integer not null,
    body text not null
  )`,
  "create index voices_by_account on voices (account_id, created_at desc, voice_id)",
  `create table voice_clips (
    voice_id text primary key references voices on delete cascade,
    clip blob not null
  )`
]

/** Adds cloned voices, with their clips in a table of their own. */
export const addVoices = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of voiceStatements) await sql.raw(statement).execute(db)
}
