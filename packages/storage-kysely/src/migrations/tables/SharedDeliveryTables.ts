/** The index of endpoints with something to send. */
export const endpointsDue: ReadonlyArray<string> = [
  "create index webhook_endpoints_due on webhook_endpoints (visit_at, org_id, workspace_id) where visit_at is not null"
]

/** Retired secrets that still sign. */
export const webhookSecrets: ReadonlyArray<string> = [
  `create table webhook_secrets (
    org_id text not null,
    workspace_id text not null,
    owner_kind text not null,
    owner_id text not null,
    body text not null,
    primary key (org_id, workspace_id, owner_kind, owner_id)
  ) without rowid`
]

/** Webhooks to send, with their bodies in a table of their own. */
export const outbox: ReadonlyArray<string> = [
  `create table outbox (
    seq serial_key,
    webhook_id text not null unique,
    endpoint_id integer not null,
    org_id text not null,
    workspace_id text not null,
    campaign_id text,
    deployment_id text,
    attempt_id text not null,
    url text not null,
    secret text,
    state text not null,
    tries integer not null,
    due_at moment not null,
    leased_until moment not null,
    claimable_at moment not null generated always as (greatest(due_at, leased_until)) stored,
    started_at moment,
    finished_at moment,
    last_status integer,
    last_error text,
    created_at moment not null
  )`,
  `create table outbox_bodies (
    seq integer primary key references outbox on delete cascade,
    body bytes not null
  )`
]

/** The indexes of the outbox. */
export const outboxIndexes: ReadonlyArray<string> = [
  "create index outbox_queue on outbox (endpoint_id, claimable_at, seq) where state = 'pending'",
  "create index outbox_by_campaign on outbox (campaign_id, created_at, webhook_id)",
  "create index outbox_by_state on outbox (org_id, workspace_id, campaign_id, state, created_at, webhook_id)",
  `create index outbox_running on outbox (org_id, workspace_id, campaign_id, created_at, webhook_id)
    where state = 'pending' and leased_until > 0`
]

/** Rules of notifications, their runs, and a delivery for each channel of a run. */
export const notifications: ReadonlyArray<string> = [
  `create table notification_rules (
    rule_id text primary key,
    org_id text not null,
    workspace_id text not null,
    board_id text not null,
    widget_id text not null,
    created_at moment not null,
    next_run_at moment,
    body text not null
  )`,
  `create index notification_rules_by_board
    on notification_rules (org_id, workspace_id, board_id, created_at desc, rule_id)`,
  "create index notification_rules_due on notification_rules (next_run_at, rule_id) where next_run_at is not null",
  `create table notification_runs (
    run_id text primary key,
    rule_id text not null references notification_rules on delete cascade,
    org_id text not null,
    workspace_id text not null,
    scheduled_for moment not null,
    state text not null,
    claims integer not null,
    releases integer not null,
    first_claimed_at moment,
    leased_until moment not null,
    report text,
    unique (rule_id, scheduled_for)
  )`,
  "create index notification_runs_due on notification_runs (scheduled_for, run_id) where state = 'pending'",
  "create index notification_runs_claimable on notification_runs (leased_until) where state = 'pending'",
  `create table notification_deliveries (
    delivery_id text primary key,
    run_id text not null references notification_runs on delete cascade,
    rule_id text not null,
    org_id text not null,
    workspace_id text not null,
    scheduled_for moment not null,
    channel text not null,
    state text not null,
    tries integer not null,
    due_at moment not null,
    leased_until moment not null,
    claimable_at moment not null generated always as (greatest(due_at, leased_until)) stored,
    last_error text,
    error_code text,
    started_at moment,
    finished_at moment,
    row_count integer,
    truncated integer,
    settled text not null,
    unique (run_id, channel)
  )`,
  `create index notification_deliveries_due on notification_deliveries (channel, claimable_at, delivery_id)
    where state = 'pending'`,
  "create index notification_deliveries_by_rule on notification_deliveries (rule_id, scheduled_for desc, channel)"
]
