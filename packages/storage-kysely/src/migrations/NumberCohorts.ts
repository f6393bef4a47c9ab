import { cohortCallers, cohortPeople, cohortWork } from "./tables/SharedCampaignTables.js"
import { inOrder } from "./tables/Statements.js"
import { onSqlite } from "./tables/TableText.js"

const progress = "{\"total_records\":0,\"valid_records\":0,\"rejected_records\":0,\"percent\":0}"

/**
 * Numbers cohorts, so that their users have short keys, and adds the progress of imports. Users of completed cohorts are
 * carried over; an import in progress starts over.
 */
export const numberCohorts = inOrder([
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
  ...onSqlite(cohortPeople),
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
  ...onSqlite(cohortCallers),
  `insert or ignore into cohort_callers (phone, cohort_number, row)
    select phone, cohort_number, row from cohort_people order by phone, cohort_number, row`,
  ...onSqlite(cohortWork)
])
