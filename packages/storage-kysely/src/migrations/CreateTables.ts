import { accounts, engineState, keys } from "./tables/SharedAccountTables.js"
import { calls, deployments, transcripts } from "./tables/SharedCallTables.js"
import { campaignIndexes } from "./tables/SharedCampaignTables.js"
import { inOrder } from "./tables/Statements.js"
import { onSqlite } from "./tables/TableText.js"

/** Creates the tables of the stores, with the indexes of their frequent queries. */
export const createTables = inOrder([
  ...onSqlite(accounts),
  ...onSqlite(keys),
  `create table attempts (
    attempt_id text primary key,
    state text not null,
    body text not null
  )`,
  `create index attempts_unfinished on attempts (attempt_id) where state <> 'ended'`,
  ...onSqlite(deployments),
  `create table campaigns (
    campaign_id text primary key,
    org_id text not null,
    workspace_id text not null,
    search text not null,
    name text not null,
    status text not null,
    created_at integer not null,
    updated_at integer not null,
    start_timestamp integer not null,
    end_timestamp integer not null,
    body text not null
  )`,
  ...onSqlite(campaignIndexes),
  `create table dispatch (
    campaign_id text primary key,
    completed_seq integer not null,
    row integer not null,
    arrivals integer not null default 0,
    waiting integer not null default 0,
    calling integer not null default 0,
    finished integer not null default 0
  )`,
  `create table contacts (
    campaign_id text not null,
    user_phone_number text not null,
    state text not null,
    due_at real not null,
    place integer not null,
    body text not null,
    primary key (campaign_id, user_phone_number)
  )`,
  `create index contacts_waiting on contacts (campaign_id, due_at, place) where state = 'waiting'`,
  `create table cohorts (
    cohort_id text primary key,
    org_id text not null,
    workspace_id text not null,
    owner_kind text not null,
    owner_id text not null,
    completed_seq integer unique,
    valid_records integer not null,
    search text not null,
    name text not null,
    status text not null,
    created_at integer not null,
    updated_at integer not null,
    body text not null
  )`,
  `create index cohorts_by_owner on cohorts (org_id, workspace_id, owner_kind, owner_id, completed_seq)`,
  `create table cohort_users (
    cohort_id text not null,
    row integer not null,
    user_phone_number text not null,
    body text not null,
    primary key (cohort_id, row)
  ) without rowid`,
  `create index cohort_users_by_phone on cohort_users (user_phone_number, cohort_id)`,
  ...onSqlite(calls),
  ...onSqlite(transcripts),
  `create table outbox (
    webhook_id text primary key,
    org_id text not null,
    workspace_id text not null,
    campaign_id text,
    attempt_id text not null,
    url text not null,
    origin text not null,
    secret text,
    body blob not null,
    state text not null,
    tries integer not null,
    due_at integer not null,
    leased_until integer not null,
    claimable_at integer not null generated always as (max(due_at, leased_until)) stored,
    started_at integer,
    finished_at integer,
    last_status integer,
    last_error text,
    created_at integer not null
  )`,
  `create index outbox_due on outbox (due_at, webhook_id) where state = 'pending'`,
  `create index outbox_claimable on outbox (claimable_at, origin) where state = 'pending'`,
  `create index outbox_by_campaign on outbox (campaign_id, webhook_id)`,
  `create index outbox_counts on outbox (org_id, workspace_id, campaign_id, state)`,
  ...onSqlite(engineState)
])
