import {
  campaignIndexes,
  cohortCallers,
  cohortPeople,
  cohortWork,
  contactIndexes,
  contactsByNumber,
  dispatchQueue
} from "../tables/SharedCampaignTables.js"
import { onPostgres } from "../tables/TableText.js"
import { listColumns } from "./ListColumns.js"

/** Creates the tables of campaigns, their dispatch queues, and cohorts. */
export const campaignTables: ReadonlyArray<string> = [
  `create table campaigns (
    campaign_id text primary key, ${listColumns},
    start_timestamp float8 not null,
    end_timestamp float8 not null
  )`,
  ...onPostgres(campaignIndexes),
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
  ...onPostgres(contactsByNumber),
  ...onPostgres(contactIndexes),
  ...onPostgres(dispatchQueue),
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
  ...onPostgres(cohortPeople),
  ...onPostgres(cohortCallers),
  ...onPostgres(cohortWork)
]
