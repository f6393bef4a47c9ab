import { inOrder, setAside } from "./tables/Statements.js"

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

const statements: ReadonlyArray<string> = [
  ...setAside("contacts", "former_contacts"),
  `create table contacts (
    campaign_id text not null,
    seat integer not null,
    user_phone_number text not null,
    user_identifier text not null,
    state text not null,
    due_at real not null,
    attempts integer not null,
    retries text not null,
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
  `insert into contacts
    select campaign_id, seat, user_phone_number, user_identifier, state, due_at, attempts,
      json_object('main', main_retries, 'provider', provider_retries, 'internal', internal_retries),
      called_from, attempt_id, verdict, reason, decided_at, not_before,
      completion_status, connectivity_status, next_action_status
    from former_contacts`,
  "drop table former_contacts",
  "create unique index contacts_by_number on contacts (campaign_id, user_phone_number)",
  "create index contacts_by_identifier on contacts (campaign_id, user_identifier, seat)",
  "create index contacts_by_reason on contacts (campaign_id, reason, seat)",
  "create index contacts_on_the_phone on contacts (user_phone_number) where state = 'calling'",
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
    taken integer not null default 0,
    outcomes text not null default '{}'
  )`,
  `insert into dispatch
    select campaign_id, completed_seq, row, waiting, calling, finished, stops_seq, stops_row, taken,
      json_object(${outcomes.map((name) => `'${name}', ${name}`).join(", ")})
    from former_dispatch`,
  "drop table former_dispatch"
]

/** Keeps retry counters and outcome counts as JSON objects by name, so that new ones need no migration. */
export const addNamedCounters = inOrder(statements)
