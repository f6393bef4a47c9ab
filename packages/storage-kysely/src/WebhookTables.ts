import type { OutboxState } from "@trunkline/webhooks"
import type { Generated, GeneratedAlways } from "kysely"
import type { Scoped } from "./Database.js"

/** What is sent is apart, so that a try rewrites a narrow row, and lists read narrow ones. */
interface OutboxTable extends Scoped {
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
  /** When it can be claimed: the later of `due_at` and `leased_until`. */
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

/** One row for every receiver that has ever been sent something: how it is, and when its first webhook can be claimed. */
interface WebhookEndpointsTable extends Scoped {
  readonly endpoint_id: Generated<number>
  readonly endpoint: string
  /** When the first of its pending webhooks can be claimed, pauses aside; null when none is pending. */
  readonly head_at: number | null
  readonly failures: Generated<number>
  readonly failed_at: Generated<number | null>
  readonly pauses: Generated<number>
  readonly paused_until: Generated<number>
  readonly probe_at: Generated<number | null>
  readonly disabled_at: Generated<number | null>
  /** When there is something to do for it: 0 for a disabled one whose webhooks have to be given up. */
  readonly visit_at: GeneratedAlways<number | null>
}

interface WebhookSecretsTable extends Scoped {
  readonly owner_kind: string
  readonly owner_id: string
  readonly body: string
}

/** The tables of webhooks, as the newest migration leaves them. */
export interface WebhookTables {
  readonly outbox: OutboxTable
  readonly outbox_bodies: OutboxBodiesTable
  readonly webhook_endpoints: WebhookEndpointsTable
  readonly webhook_secrets: WebhookSecretsTable
}
