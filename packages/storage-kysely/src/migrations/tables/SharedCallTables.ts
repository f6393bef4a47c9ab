/** Attempts, with columns for what changes. */
export const attempts: ReadonlyArray<string> = [
  `create table attempts (
    attempt_id text primary key,
    state text not null,
    connection_id text not null,
    attempted_at real not null,
    provider_call_id text,
    result text,
    body text not null
  )`
]

/** The index of attempts without a result. */
export const unfinishedAttempts: ReadonlyArray<string> = [
  "create index attempts_unfinished on attempts (attempt_id) where state <> 'ended'"
]

/** Blocked numbers, and the events that providers report. */
export const callSafety: ReadonlyArray<string> = [
  `create table blocked_numbers (
    org_id text not null,
    workspace_id text not null,
    phone_number text not null,
    reason text,
    created_at moment not null,
    created_by text not null,
    primary key (org_id, workspace_id, phone_number)
  ) without rowid`,
  "create index blocked_numbers_newest on blocked_numbers (org_id, workspace_id, created_at desc, phone_number)",
  `create table blocked_totals (
    org_id text not null,
    workspace_id text not null,
    total integer not null,
    primary key (org_id, workspace_id)
  ) without rowid`,
  `create table call_events (
    place fresh_key,
    provider text not null,
    event_id text not null,
    provider_call_id text not null,
    attempt_id text,
    received_at real not null,
    news text not null,
    unique (provider, event_id)
  )`,
  "create index call_events_by_call on call_events (provider, provider_call_id, place)",
  "create index call_events_by_attempt on call_events (provider, attempt_id, place) where attempt_id is not null",
  "create index call_events_by_age on call_events (received_at, place)"
]

/** Deployments, and the numbers that they answer. */
export const deployments: ReadonlyArray<string> = [
  `create table deployments (
    deployment_id text primary key,
    org_id text not null,
    workspace_id text not null,
    search text not null,
    name text not null,
    status text not null,
    created_at moment not null,
    updated_at moment not null,
    body text not null
  )`,
  "create index deployments_by_workspace on deployments (org_id, workspace_id, created_at desc, deployment_id)",
  `create table deployment_numbers (
    phone_number text primary key,
    deployment_id text not null references deployments on delete cascade
  )`,
  "create index deployment_numbers_by_deployment on deployment_numbers (deployment_id)"
]

/** Records of calls. */
export const calls: ReadonlyArray<string> = [
  `create table calls (
    attempt_id text primary key,
    org_id text not null,
    workspace_id text not null,
    app_id text not null,
    attempted_at moment not null,
    start_datetime moment,
    end_datetime moment,
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
  "create index calls_by_attempt on calls (org_id, workspace_id, app_id, attempted_at desc, attempt_id)",
  `create index calls_by_interaction on calls (org_id, workspace_id, app_id, start_datetime desc, attempt_id)
    where start_datetime is not null`
]

/** The index of the calls of one user. */
export const callsByUser: ReadonlyArray<string> = [
  "create index calls_by_user on calls (org_id, workspace_id, user_identifier)"
]

/** Transcripts of calls. */
export const transcripts: ReadonlyArray<string> = [
  `create table call_transcripts (
    attempt_id text primary key references calls on delete cascade,
    interaction_id text not null,
    body text not null
  )`,
  "create index call_transcripts_by_interaction on call_transcripts (interaction_id)"
]

/** The indexes of the log of facts. */
export const factIndexes: ReadonlyArray<string> = [
  "create index facts_by_workspace on facts (org_id, workspace_id, seq)",
  "create index facts_by_user on facts (org_id, workspace_id, user_identifier) where user_identifier is not null"
]

/** Boards of analytics. */
export const boards: ReadonlyArray<string> = [
  `create table boards (
    id text primary key,
    org_id text not null,
    workspace_id text not null,
    name text not null,
    updated_at moment not null,
    summary text not null,
    body text not null,
    unique (org_id, workspace_id, name)
  )`,
  "create index boards_by_workspace on boards (org_id, workspace_id, updated_at desc, id)"
]
