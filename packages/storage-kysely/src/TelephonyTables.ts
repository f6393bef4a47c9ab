import type { AttemptState } from "@trunkline/telephony"
import type { Generated } from "kysely"
import type { Scoped, Whole } from "./Database.js"

/** What changes about an attempt is in columns of its own; `body` holds the rest and is written once. */
interface AttemptsTable extends Whole {
  readonly attempt_id: string
  readonly state: AttemptState
  readonly connection_id: string
  readonly attempted_at: number
  readonly provider_call_id: string | null
  /** In JSON, once it has ended. */
  readonly result: string | null
}

interface BlockedNumbersTable extends Scoped {
  readonly phone_number: string
  readonly reason: string | null
  readonly created_at: number
  readonly created_by: string
}

/** How many numbers a workspace has blocked. */
interface BlockedTotalsTable extends Scoped {
  readonly total: number
}

interface CallEventsTable {
  /** The order of arrival. */
  readonly place: Generated<number>
  readonly provider: string
  readonly event_id: string
  readonly provider_call_id: string
  readonly attempt_id: string | null
  readonly received_at: number
  /** In JSON, what it tells. */
  readonly news: string
}

/** The tables of telephony, as the newest migration leaves them. */
export interface TelephonyTables {
  readonly attempts: AttemptsTable
  readonly blocked_numbers: BlockedNumbersTable
  readonly blocked_totals: BlockedTotalsTable
  readonly call_events: CallEventsTable
}
