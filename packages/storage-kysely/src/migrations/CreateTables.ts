import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"

const statements = [
  `create table accounts (
    account_id text primary key,
    body text not null
  )`,
  `create table workspaces (
    org_id text not null,
    workspace_id text not null,
    body text not null,
    primary key (org_id, workspace_id)
  )`,
  `create table api_keys (
    key_id text primary key,
    account_id text not null,
    body text not null
  )`,
  `create index api_keys_by_account on api_keys (account_id, key_id)`,
  `create table attempts (
    attempt_id text primary key,
    state text not null,
    body text not null
  )`,
  `create index attempts_unfinished on attempts (attempt_id) where state <> 'ended'`,
  `create table deployments (
    deployment_id text primary key,
    org_id text not null,
    workspace_id text not null,
    search text not null,
    name text not null,
    status text not null,
    created_at integer not null,
    updated_at integer not null,
    body text not null
  )`,
  `create index deployments_by_workspace on deployments (org_id, workspace_id, created_at desc, deployment_id)`,
  `create table deployment_numbers (
    phone_number text primary key,
    deployment_id text not null references deployments on delete cascade
  )`,
  `create index deployment_numbers_by_deployment on deployment_numbers (deployment_id)`,
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
  `create index campaigns_by_workspace on campaigns (org_id, workspace_id, created_at desc, campaign_id)`,
  `create index campaigns_open on campaigns (campaign_id) where status not in ('ended', 'cancelled')`,
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
  `create table calls (
    attempt_id text primary key,
    org_id text not null,
    workspace_id text not null,
    app_id text not null,
    attempted_at integer not null,
    start_datetime integer,
    end_datetime integer,
    interaction_id text,
    deployment_id text,
    campaign_id text,
    cohort_id text,
    user_identifier text,
    user_contact_masked text,
    user_contact_hashed text,
    channel_direction text,
    channel_type text,
    channel_provider text,
    channel_protocol text,
    job_id text,
    correlation_id text,
    completion_status text,
    connectivity_status text,
    next_action_status text,
    failure_reason text,
    language_name text,
    audio_url text,
    ended_by text,
    app_version real,
    retry_attempt real,
    server_retry_attempt real,
    is_debug_call real,
    has_log_issues real,
    duration_in_seconds real,
    num_messages real,
    average_agent_response_time_in_seconds real,
    average_user_response_time_in_seconds real,
    variables text not null,
    body text not null
  )`,
  `create index calls_by_attempt on calls (org_id, workspace_id, app_id, attempted_at desc, attempt_id)`,
  `create index calls_by_interaction on calls (org_id, workspace_id, app_id, start_datetime desc, attempt_id)
    where start_datetime is not null`,
  `create table call_transcripts (
    attempt_id text primary key references calls on delete cascade,
    interaction_id text not null,
    body text not null
  )`,
  `create index call_transcripts_by_interaction on call_transcripts (interaction_id)`,
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
  `create table engine_state (
    key text primary key,
    value real not null
  )`
]

/** Creates the tables of the stores, with the indexes of their frequent queries. */
export const createTables = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
