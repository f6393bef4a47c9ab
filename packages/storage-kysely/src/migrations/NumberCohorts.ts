import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"

const progress = "{\"total_records\":0,\"valid_records\":0,\"rejected_records\":0,\"percent\":0}"

const statements = [
  "alter table cohorts add column number integer not null default 0",
  "alter table cohorts add column cohort_category text not null default 'cohort'",
  "alter table cohorts add column source_url text",
  "update cohorts set number = rowid",
  `update cohorts set body = json_set(
    body,
    '$.cohort_category', 'cohort',
    '$.progress', json(case when status = 'processing' then '${progress}' else 'null' end)
  )`,
  "drop index cohorts_by_owner",
  "create unique index cohorts_by_number on cohorts (number)",
  `create index cohorts_by_owner
    on cohorts (org_id, workspace_id, owner_kind, owner_id, cohort_category, completed_seq)`,
  `create index cohorts_newest on cohorts
    (org_id, workspace_id, owner_kind, owner_id, cohort_category, created_at desc, completed_seq desc, number, cohort_id)
    where completed_seq is not null`,
  "create index cohorts_pending on cohorts (created_at, cohort_id) where status = 'processing'",
  `create table cohort_people (
    cohort_number integer not null,
    row integer not null,
    phone integer not null,
    body text not null,
    primary key (cohort_number, row)
  ) without rowid`,
  `insert into cohort_people (cohort_number, row, phone, body)
    select
      cohorts.number,
      users.row,
      cast(substr(users.user_phone_number, 2) as integer),
      json_array(
        json_extract(users.body, '$.user_identifier'),
        json_extract(users.body, '$.agent_variables'),
        json_extract(users.body, '$.app_overrides')
      )
    from cohorts cross join cohort_users as users on users.cohort_id = cohorts.cohort_id
    where cohorts.completed_seq is not null
    order by cohorts.number, users.row`,
  "drop table cohort_users",
  `create table cohort_callers (
    phone integer not null,
    cohort_number integer not null,
    row integer not null,
    primary key (phone, cohort_number)
  ) without rowid`,
  `insert or ignore into cohort_callers (phone, cohort_number, row)
    select phone, cohort_number, row from cohort_people order by phone, cohort_number, row`,
  "create table cohort_leftovers (cohort_number integer primary key)",
  "create table expected_cohorts (cohort_id text primary key) without rowid"
]

/**
 * Numbers cohorts, so that their users have short keys, and adds the progress of imports. Users of completed cohorts are
 * carried over; an import in progress starts over.
 */
export const numberCohorts = async (db: Kysely<Database>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
