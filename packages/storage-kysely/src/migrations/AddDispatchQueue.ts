import { contactIndexes, contactsByNumber, dispatchQueue } from "./tables/SharedCampaignTables.js"
import { inOrder, setAside } from "./tables/Statements.js"
import { onSqlite } from "./tables/TableText.js"

/** The outcome of an ended attempt. Earlier versions blocked no numbers, and did not distinguish provider errors. */
const outcome = `case
  when connectivity_status = 'connected' then completion_status
  when connectivity_status is not null then connectivity_status
  when failure_reason like 'unknown:%' then 'unknown'
  else 'internal_error'
end`

const outcomes = [
  "completed",
  "partial",
  "busy",
  "no_answer",
  "failed",
  "provider_error",
  "internal_error",
  "unknown",
  "blocked"
]

/** Reason for which a contact is finished, as far as its last attempt shows. */
const ending = `case
  when body ->> '$.finished_because' = 'stopped' then 'stopped'
  when last.outcome is null or last.outcome in ('completed', 'partial') then 'done'
  when last.outcome = 'unknown' then 'outcome_unknown'
  else 'retries_exhausted'
end`

/** Adds the counts of outcomes and of contacts that were taken, and removes the arrivals. */
const recreateDispatch: ReadonlyArray<string> = [
  ...setAside("dispatch", "former_dispatch"),
  `create table dispatch (
    campaign_id text primary key,
    completed_seq integer not null,
    row integer not null,
    waiting integer not null default 0,
    calling integer not null default 0,
    finished integer not null default 0,
    stops_seq integer not null default 0,
    stops_row integer not null default 0,
    ${outcomes.map((name) => `${name} integer not null default 0`).join(", ")},
    taken integer not null default 0
  )`,
  `insert into dispatch
    select campaign_id, completed_seq, row, waiting, calling, finished, stops_seq, stops_row,
      ${outcomes.map((name) => `coalesce(counted.${name}, 0)`).join(", ")},
      waiting + calling + finished
    from former_dispatch
    left join (
      select campaign_id, ${outcomes.map((name) => `count(*) filter (where outcome = '${name}') as ${name}`).join(", ")}
      from (select campaign_id, ${outcome} as outcome from ended_attempts)
      group by campaign_id
    ) as counted using (campaign_id)`,
  "drop table former_dispatch"
]

const statements: ReadonlyArray<string> = [
  ...onSqlite(dispatchQueue),
  `create table ended_attempts as
    select
      body ->> '$.campaign_id' as campaign_id,
      body ->> '$.user_phone_number' as user_phone_number,
      attempted_at,
      attempt_id,
      result ->> '$.finished_at' as finished_at,
      result ->> '$.completion_status' as completion_status,
      result ->> '$.connectivity_status' as connectivity_status,
      result ->> '$.next_action_status' as next_action_status,
      result ->> '$.failure_reason' as failure_reason
    from attempts
    where state = 'ended' and body ->> '$.campaign_id' is not null`,
  `create table last_attempts as
    select *, ${outcome} as outcome from (
      select
        *,
        row_number() over (
          partition by campaign_id, user_phone_number order by attempted_at desc, attempt_id desc
        ) as place
      from ended_attempts
    )
    where place = 1`,
  "create index last_attempts_by_number on last_attempts (campaign_id, user_phone_number)",
  ...setAside("contacts", "former_contacts"),
  `create table contacts (
    campaign_id text not null,
    seat integer not null,
    user_phone_number text not null,
    user_identifier text not null,
    state text not null,
    due_at real not null,
    attempts integer not null,
    main_retries integer not null,
    provider_retries integer not null,
    internal_retries integer not null,
    called_from text not null,
    attempt_id text,
    verdict text not null,
    reason text not null,
    decided_at real not null,
    not_before real,
    completion_status text,
    connectivity_status text,
    next_action_status text,
    primary key (campaign_id, seat)
  ) without rowid`,
  // Earlier versions stored no decisions: they are derived from the last attempt, if there was one.
  `insert into contacts
    select
      former.campaign_id,
      row_number() over (partition by former.campaign_id order by former.place),
      former.user_phone_number,
      body ->> '$.user_identifier',
      state,
      due_at,
      body ->> '$.attempts',
      body ->> '$.counters.main',
      body ->> '$.counters.provider',
      body ->> '$.counters.internal',
      (select coalesce(group_concat(value, ' '), '') from json_each(body, '$.called_from')),
      body ->> '$.attempt_id',
      case
        when state = 'finished' then 'never'
        when state = 'waiting' and body ->> '$.attempts' > 0 then 'not_before'
        else 'allow'
      end,
      case
        when state = 'calling' then 'allowed'
        when state = 'finished' then ${ending}
        else iif(body ->> '$.attempts' > 0, 'retry_interval', 'new')
      end,
      coalesce(last.finished_at, due_at),
      case when state = 'waiting' and body ->> '$.attempts' > 0 then due_at end,
      last.completion_status,
      last.connectivity_status,
      last.next_action_status
    from former_contacts as former
    left join last_attempts as last
      on last.campaign_id = former.campaign_id and last.user_phone_number = former.user_phone_number`,
  ...onSqlite(contactsByNumber),
  `insert into contact_people
    select
      contacts.campaign_id,
      contacts.seat,
      json_array(body ->> '$.cohort_id', body -> '$.agent_variables', body -> '$.app_overrides')
    from former_contacts
    join contacts using (campaign_id, user_phone_number)`,
  "drop table former_contacts",
  ...onSqlite(contactIndexes),
  "insert into ready select campaign_id, due_at, seat from contacts where state = 'waiting'",
  ...recreateDispatch,
  `insert into dial_minutes
    select campaign_id, cast(attempted_at / 60000 as integer) * 60000 as minute, count(*), max(attempted_at)
    from ended_attempts
    group by campaign_id, minute`,
  "drop table last_attempts",
  "drop table ended_attempts"
]

/**
 * Adds the narrow queue of due contacts, the decision about each contact, and the counts of outcomes. Existing contacts
 * keep their order; their decisions are derived from their attempts.
 */
export const addDispatchQueue = inOrder(statements)
