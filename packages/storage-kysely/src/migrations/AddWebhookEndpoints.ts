import { endpointsDue, outbox, outboxIndexes, webhookSecrets } from "./tables/SharedDeliveryTables.js"
import { inOrder, setAside } from "./tables/Statements.js"
import { onSqlite } from "./tables/TableText.js"

/** Adds the health and the queue of each webhook receiver, and the retired secrets that still sign. */
export const addWebhookEndpoints = inOrder([
  `create table webhook_endpoints (
    endpoint_id integer primary key,
    org_id text not null,
    workspace_id text not null,
    endpoint text not null,
    head_at integer,
    failures integer not null default 0,
    failed_at integer,
    pauses integer not null default 0,
    paused_until integer not null default 0,
    probe_at integer,
    disabled_at integer,
    visit_at integer generated always as
      (case when disabled_at is null then max(head_at, paused_until) else head_at * 0 end) stored,
    unique (org_id, workspace_id, endpoint)
  )`,
  ...onSqlite(endpointsDue),
  ...onSqlite(webhookSecrets),
  ...setAside("outbox", "outbox_before"),
  ...onSqlite(outbox),
  // A campaign's webhooks have its URL as endpoint; those of single calls have one endpoint per origin.
  `insert into webhook_endpoints (org_id, workspace_id, endpoint)
    select distinct org_id, workspace_id, case when campaign_id is null then '* ' || origin else url end
    from outbox_before`,
  // Webhooks that were due at once count as due from now on, so that their delivery period begins with the migration.
  `insert into outbox (webhook_id, endpoint_id, org_id, workspace_id, campaign_id, attempt_id, url, secret, state,
      tries, due_at, leased_until, started_at, finished_at, last_status, last_error, created_at)
    select webhook_id, endpoint_id, o.org_id, o.workspace_id, campaign_id, attempt_id, url, secret, state, tries,
      case when due_at = 0 then cast(strftime('%s', 'now') as integer) * 1000 else due_at end,
      leased_until, started_at, finished_at, last_status, last_error, created_at
    from outbox_before o join webhook_endpoints e
      on e.org_id = o.org_id and e.workspace_id = o.workspace_id
      and e.endpoint = case when campaign_id is null then '* ' || origin else url end
    order by webhook_id`,
  `insert into outbox_bodies (seq, body)
    select seq, body from outbox_before join outbox using (webhook_id) order by seq`,
  "drop table outbox_before",
  ...onSqlite(outboxIndexes),
  `update webhook_endpoints set head_at = (
    select min(claimable_at) from outbox
    where outbox.endpoint_id = webhook_endpoints.endpoint_id and state = 'pending'
  )`
])
