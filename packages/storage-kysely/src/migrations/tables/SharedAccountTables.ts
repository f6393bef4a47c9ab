/** Accounts and their workspaces. */
export const accounts: ReadonlyArray<string> = [
  `create table accounts (
    account_id text primary key,
    body text not null
  )`,
  `create table workspaces (
    org_id text not null,
    workspace_id text not null,
    body text not null,
    primary key (org_id, workspace_id)
  )`
]

/** Keys of the API. */
export const keys: ReadonlyArray<string> = [
  `create table api_keys (
    key_id text primary key,
    account_id text not null,
    body text not null
  )`,
  "create index api_keys_by_account on api_keys (account_id, key_id)"
]

/** Buckets and slots of rate limits, and the ledger of credits. */
export const limits: ReadonlyArray<string> = [
  `create table buckets (
    owner text not null,
    name text not null,
    full_at moment not null,
    primary key (owner, name)
  ) without rowid`,
  "create index buckets_full on buckets (full_at)",
  `create table slots (
    owner text not null,
    name text not null,
    holder text not null,
    expires_at moment not null,
    primary key (owner, name, holder)
  ) without rowid`,
  "create index slots_expired on slots (expires_at)",
  `create table credit_balances (
    account_id text primary key,
    balance integer not null
  ) without rowid`,
  `create table credit_entries (
    seq serial_key,
    account_id text not null,
    reference text not null,
    kind text not null,
    amount integer not null,
    at moment not null,
    unique (account_id, reference)
  )`,
  "create index credit_entries_newest on credit_entries (account_id, seq)",
  `create table credit_reservations (
    request_id text primary key,
    account_id text not null,
    key_id text,
    api text not null,
    amount integer not null,
    expires_at moment not null
  ) without rowid`,
  "create index credit_reservations_by_holder on credit_reservations (account_id, key_id, amount)",
  "create index credit_reservations_expired on credit_reservations (expires_at)",
  `create table credit_usage (
    account_id text not null,
    day text not null,
    api text not null,
    key_id text not null,
    requests integer not null,
    units text not null,
    cost integer not null,
    charged integer not null,
    primary key (account_id, day, api, key_id)
  ) without rowid`
]

/** Cloned voices, with their clips in a table of their own. */
export const voices: ReadonlyArray<string> = [
  `create table voices (
    voice_id text primary key,
    account_id text not null,
    search text not null,
    name text not null,
    created_at moment not null,
    body text not null
  )`,
  "create index voices_by_account on voices (account_id, created_at desc, voice_id)",
  `create table voice_clips (
    voice_id text primary key references voices on delete cascade,
    clip bytes not null
  )`
]

/** Numbers that the engine keeps. */
export const engineState: ReadonlyArray<string> = [
  `create table engine_state (
    key text primary key,
    value real not null
  )`
]
