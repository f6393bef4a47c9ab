import type { Channel, DeliveryState, RunState } from "@trunkline/notifications"
import type { GeneratedAlways } from "kysely"
import type { Scoped, Whole } from "./Database.js"

interface NotificationRulesTable extends Scoped, Whole {
  readonly rule_id: string
  readonly board_id: string
  readonly widget_id: string
  readonly created_at: number
  /** Null while the rule is disabled. */
  readonly next_run_at: number | null
}

interface NotificationRunsTable extends Scoped {
  readonly run_id: string
  readonly rule_id: string
  readonly scheduled_for: number
  readonly state: RunState
  readonly claims: number
  readonly releases: number
  readonly first_claimed_at: number | null
  readonly leased_until: number
  /** In JSON, until its deliveries are over. */
  readonly report: string | null
}

interface NotificationDeliveriesTable extends Scoped {
  readonly delivery_id: string
  readonly run_id: string
  readonly rule_id: string
  readonly scheduled_for: number
  readonly channel: Channel
  readonly state: DeliveryState
  readonly tries: number
  readonly due_at: number
  readonly leased_until: number
  /** When it can be claimed: the later of `due_at` and `leased_until`. */
  readonly claimable_at: GeneratedAlways<number>
  readonly last_error: string | null
  readonly error_code: string | null
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly row_count: number | null
  /** 0 or 1; null without a table. */
  readonly truncated: number | null
  /** In JSON, whom a retry does not mail again. */
  readonly settled: string
}

/** The tables of notifications, as the newest migration leaves them. */
export interface NotificationTables {
  readonly notification_deliveries: NotificationDeliveriesTable
  readonly notification_rules: NotificationRulesTable
  readonly notification_runs: NotificationRunsTable
}
