import { listColumns } from "./ListColumns.js"

/** Creates the tables of campaigns, their dispatch queues, and cohorts. */
export const campaignTables: ReadonlyArray<string> = [
  `create table campaigns (
    campaign_id text primary key, ${listColumns},
    start_timestamp float8 not null,
    end_timestamp float8 not null
  )`,
  "create index campaigns_by_workspace on campaigns (org_id, workspace_id, created_at desc, campaign_id)",
  "create index campaigns_open on campaigns (campaign_id) where status not in ('ended', 'cancelled')",
  `create table dispatch (
    campaign_id text primary key,
    completed_seq bigint not null,
    row bigint not null,
    waiting bigint not null default 0,
    calling bigint not null default 0,
    finished bigint not null default 0,
    stops_seq bigint not null default 0,
    stops_row bigint not null default 0,
    taken bigint not null default 0,
    outcomes text not null default '{}'
  )`,
  `create table contacts (
    campaign_id text not null,
    seat bigint not null,
    user_phone_number text not null,
    user_identifier text not null,
    state text not null,
    due_at float8 not null,
    attempts bigint not null,
    retries text not null,
    called_from text not null,
    attempt_id text,
    verdict text not null,
    reason text not null,
    decided_at float8 not null,
    not_before float8,
    completion_status text,
    connectivity_status text,
    next_action_status text,
    primary key (campaign_id, seat)
  ) with (fillfactor = 70)`,
  "create unique index contacts_by_number on contacts (campaign_id, user_phone_number)",
  "create index contacts_by_identifier on contacts (campaign_id, user_identifier, seat)",
  "create index contacts_by_reason on contacts (campaign_id, reason, seat)",
  "create index contacts_on_the_phone on contacts (user_phone_number) where state = 'calling'",
  `create table contact_people (
    campaign_id text not null,
    seat bigint not null,
    body text not null,
    primary key (campaign_id, seat)
  )`,
  `create table ready (
    campaign_id text not null,
    due_at float8 not null,
    seat bigint not null,
    primary key (campaign_id, due_at, seat)
  )`,
  `create table dial_minutes (
    campaign_id text not null,
    minute float8 not null,
    dials bigint not null,
    last_at float8 not null,
    primary key (campaign_id, minute)
  )`,
  `create table number_dials (
    org_id text not null,
    workspace_id text not null,
    day bigint not null,
    user_phone_number text not null,
    at float8 not null,
    dials bigint not null,
    primary key (org_id, workspace_id, day, user_phone_number, at)
  )`,
  "create sequence cohort_numbers",
  "create sequence cohort_completions",
  `create table cohorts (
    cohort_id text primary key, ${listColumns},
    owner_kind text not null,
    owner_id text not null,
    completed_seq bigint unique,
    valid_records bigint not null,
    number bigint not null default 0,
    cohort_category text not null default 'cohort',
    source_url text
  )`,
  "create unique index cohorts_by_number on cohorts (number)",
  `create index cohorts_by_owner
    on cohorts (org_id, workspace_id, owner_kind, owner_id, cohort_category, completed_seq)`,
  `create index cohorts_newest on cohorts
    (org_id, workspace_id, owner_kind, owner_id, cohort_category, created_at desc, completed_seq desc, number, cohort_id)
    where completed_seq is not null`,
  "create index cohorts_pending on cohorts (created_at, cohort_id) where status = 'processing'",
  `create table cohort_people (
    cohort_number bigint not null,
    row bigint not null,
    phone bigint not null,
    body text not null,
    primary key (cohort_number, row)
  )`,
  `create table cohort_callers (
    phone bigint not null,
    cohort_number bigint not null,
    row bigint not null,
    primary key (phone, cohort_number)
  )`,
  "create table cohort_leftovers (cohort_number bigint primary key)",
  "create table expected_cohorts (cohort_id text primary key)"
]
