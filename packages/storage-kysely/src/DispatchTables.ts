import type { ContactState, GateReason, Verdict } from "@trunkline/campaigns"
import type {
  AttemptId,
  CampaignId,
  CompletionStatus,
  ConnectivityStatus,
  NextActionStatus,
  PhoneNumber
} from "@trunkline/kernel"
import type { Generated } from "kysely"
import type { Scoped, Whole } from "./Database.js"

/**
 * One row per campaign: how far its roster and its stop files have been read, how many people are where, and how many
 * attempts ended how.
 */
interface DispatchTable extends Readonly<Record<ContactState, Generated<number>>> {
  readonly campaign_id: string
  /** 0 until somebody has been enrolled. */
  readonly completed_seq: number
  readonly row: number
  /** 0 until a stop file has been read. */
  readonly stops_seq: Generated<number>
  readonly stops_row: Generated<number>
  /** People taken from the roster, which is also the last seat that was given. */
  readonly taken: Generated<number>
  /** Number of ended attempts by outcome, as a JSON object; outcomes without attempts may be absent. */
  readonly outcomes: Generated<string>
}

/** What changes about a person as they are called. It is narrow, since it is written with every attempt. */
export interface ContactsTable {
  readonly campaign_id: CampaignId
  /** The order of enrolment. */
  readonly seat: number
  readonly user_phone_number: PhoneNumber
  readonly user_identifier: string
  readonly state: ContactState
  readonly due_at: number
  readonly attempts: number
  /** Number of retries by counter, as a JSON object; counters without retries may be absent. */
  readonly retries: string
  /** Our numbers, apart by spaces. */
  readonly called_from: string
  readonly attempt_id: AttemptId | null
  readonly verdict: Verdict
  readonly reason: GateReason
  readonly decided_at: number
  readonly not_before: number | null
  /** Null until an attempt has ended. */
  readonly completion_status: CompletionStatus | null
  readonly connectivity_status: ConnectivityStatus | null
  readonly next_action_status: NextActionStatus | null
}

/** What never changes about a person. */
export interface ContactPeopleTable extends Whole {
  readonly campaign_id: CampaignId
  readonly seat: number
}

/** Those who wait, in the order in which they are called. */
interface ReadyTable {
  readonly campaign_id: CampaignId
  readonly due_at: number
  readonly seat: number
}

/** The minutes in which a campaign dialled. */
interface DialMinutesTable {
  readonly campaign_id: CampaignId
  /** When it began: epoch milliseconds. */
  readonly minute: number
  readonly dials: number
  readonly last_at: number
}

/** When a workspace dialled a number. */
interface NumberDialsTable extends Scoped {
  /** The day in UTC, counted from 1970-01-01. */
  readonly day: number
  readonly user_phone_number: PhoneNumber
  readonly at: number
  readonly dials: number
}

/** The tables of the dispatch, as the newest migration leaves them. */
export interface DispatchTables {
  readonly contact_people: ContactPeopleTable
  readonly contacts: ContactsTable
  readonly dial_minutes: DialMinutesTable
  readonly dispatch: DispatchTable
  readonly number_dials: NumberDialsTable
  readonly ready: ReadyTable
}
