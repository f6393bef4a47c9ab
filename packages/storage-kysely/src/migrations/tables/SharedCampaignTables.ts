/** The indexes of campaigns. */
export const campaignIndexes: ReadonlyArray<string> = [
  "create index campaigns_by_workspace on campaigns (org_id, workspace_id, created_at desc, campaign_id)",
  "create index campaigns_open on campaigns (campaign_id) where status not in ('ended', 'cancelled')"
]

/** The index that keeps a number in a campaign once. */
export const contactsByNumber: ReadonlyArray<string> = [
  "create unique index contacts_by_number on contacts (campaign_id, user_phone_number)"
]

/** The other indexes of contacts. */
export const contactIndexes: ReadonlyArray<string> = [
  "create index contacts_by_identifier on contacts (campaign_id, user_identifier, seat)",
  "create index contacts_by_reason on contacts (campaign_id, reason, seat)",
  "create index contacts_on_the_phone on contacts (user_phone_number) where state = 'calling'"
]

/** The wide part of contacts, the queue of those that wait, and the counts of dials. */
export const dispatchQueue: ReadonlyArray<string> = [
  `create table contact_people (
    campaign_id text not null,
    seat integer not null,
    body text not null,
    primary key (campaign_id, seat)
  ) without rowid`,
  `create table ready (
    campaign_id text not null,
    due_at real not null,
    seat integer not null,
    primary key (campaign_id, due_at, seat)
  ) without rowid`,
  `create table dial_minutes (
    campaign_id text not null,
    minute moment not null,
    dials integer not null,
    last_at real not null,
    primary key (campaign_id, minute)
  ) without rowid`,
  `create table number_dials (
    org_id text not null,
    workspace_id text not null,
    day integer not null,
    user_phone_number text not null,
    at real not null,
    dials integer not null,
    primary key (org_id, workspace_id, day, user_phone_number, at)
  ) without rowid`
]

/** The indexes of cohorts, and their users. */
export const cohortPeople: ReadonlyArray<string> = [
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
  ) without rowid`
]

/** The users of cohorts by phone number. */
export const cohortCallers: ReadonlyArray<string> = [
  `create table cohort_callers (
    phone integer not null,
    cohort_number integer not null,
    row integer not null,
    primary key (phone, cohort_number)
  ) without rowid`
]

/** Cohorts to remove, and those that are to come. */
export const cohortWork: ReadonlyArray<string> = [
  "create table cohort_leftovers (cohort_number integer primary key)",
  "create table expected_cohorts (cohort_id text primary key) without rowid"
]
