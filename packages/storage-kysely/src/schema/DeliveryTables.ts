import type { Channel, DeliveryState, RunState } from "@trunkline/notifications"
import type { OutboxState } from "@trunkline/webhooks"
import type { Generated, GeneratedAlways } from "kysely"
import type { BodyColumn, WorkspaceColumns } from "./Columns.js"

/** Webhooks. Bodies are in a table of their own, so that attempts rewrite, and lists read, narrow rows. */
interface OutboxTable extends WorkspaceColumns {
  readonly seq: Generated<number>
  readonly webhook_id: string
  readonly endpoint_id: number
  readonly campaign_id: string | null
  readonly deployment_id: string | null
  readonly attempt_id: string
  readonly url: string
  readonly secret: string | null
  readonly state: OutboxState
  readonly tries: number
  readonly due_at: number
  readonly leased_until: number
  /** Time from which it can be claimed: the later of `due_at` and `leased_until`. */
  readonly claimable_at: GeneratedAlways<number>
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly created_at: number
}

interface OutboxBodiesTable {
  readonly seq: number
  readonly body: Uint8Array
}

/** One row per receiver that has ever had a webhook: its health, and the time its first webhook can be claimed. */
interface WebhookEndpointsTable extends WorkspaceColumns {
  readonly endpoint_id: Generated<number>
  readonly endpoint: string
  /** Time at which its first pending webhook can be claimed, pauses aside; null when none is pending. */
  readonly head_at: number | null
  readonly failures: Generated<number>
  readonly failed_at: Generated<number | null>
  readonly pauses: Generated<number>
  readonly paused_until: Generated<number>
  readonly probe_at: Generated<number | null>
  readonly disabled_at: Generated<number | null>
  /** Time of its next work: 0 for a disabled receiver whose webhooks have to be given up; null when there is none. */
  readonly visit_at: GeneratedAlways<number | null>
}

interface WebhookSecretsTable extends WorkspaceColumns {
  readonly owner_kind: string
  readonly owner_id: string
  readonly body: string
}

interface NotificationRulesTable extends WorkspaceColumns, BodyColumn {
  readonly rule_id: string
  readonly board_id: string
  readonly widget_id: string
  readonly created_at: number
  /** Null while the rule is disabled. */
  readonly next_run_at: number | null
}

interface NotificationRunsTable extends WorkspaceColumns {
  readonly run_id: string
  readonly rule_id: string
  readonly scheduled_for: number
  readonly state: RunState
  readonly claims: number
  readonly releases: number
  readonly first_claimed_at: number | null
  readonly leased_until: number
  /** In JSON; null before the report is made and after its deliveries are over. */
  readonly report: string | null
}

interface NotificationDeliveriesTable extends WorkspaceColumns {
  readonly delivery_id: string
  readonly run_id: string
  readonly rule_id: string
  readonly scheduled_for: number
  readonly channel: Channel
  readonly state: DeliveryState
  readonly tries: number
  readonly due_at: number
  readonly leased_until: number
  /** Time from which it can be claimed: the later of `due_at` and `leased_until`. */
  readonly claimable_at: GeneratedAlways<number>
  readonly last_error: string | null
  readonly error_code: string | null
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly row_count: number | null
  /** 0 or 1; null when the report has no table. */
  readonly truncated: number | null
  /** A JSON array of the recipients that a retry skips. */
  readonly settled: string
}

/** The tables of webhooks and notifications. */
export interface DeliveryTables {
  readonly notification_deliveries: NotificationDeliveriesTable
  readonly notification_rules: NotificationRulesTable
  readonly notification_runs: NotificationRunsTable
  readonly outbox: OutboxTable
  readonly outbox_bodies: OutboxBodiesTable
  readonly webhook_endpoints: WebhookEndpointsTable
  readonly webhook_secrets: WebhookSecretsTable
}
