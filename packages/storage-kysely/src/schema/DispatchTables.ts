import type { ContactState, GateReason, GateVerdict } from "@trunkline/campaigns"
import type {
  AttemptId,
  CampaignId,
  CanaryArm,
  CompletionStatus,
  ConnectivityStatus,
  NextActionStatus,
  PhoneNumber
} from "@trunkline/kernel"
import type { Generated } from "kysely"
import type { BodyColumn, WorkspaceColumns } from "./Columns.js"

/**
 * One row per campaign: the positions up to which its cohorts and stop files have been read, the number of contacts in
 * each state, and the number of attempts with each outcome.
 */
interface DispatchTable extends Readonly<Record<ContactState, Generated<number>>> {
  readonly campaign_id: string
  /** 0 until a contact has been enrolled. */
  readonly completed_seq: number
  readonly row: number
  /** 0 until a stop file has been read. */
  readonly stops_seq: Generated<number>
  readonly stops_row: Generated<number>
  /** Number of users read from the cohorts, which is also the last seat assigned. */
  readonly taken: Generated<number>
  /** Number of ended attempts by outcome, as a JSON object; outcomes without attempts may be absent. */
  readonly outcomes: Generated<string>
}

/** The changing part of a contact. The row is narrow, since every attempt writes it. */
export interface ContactsTable {
  readonly campaign_id: CampaignId
  /** Position in the order of enrolment. */
  readonly seat: number
  readonly user_phone_number: PhoneNumber
  readonly user_identifier: string
  readonly state: ContactState
  readonly due_at: number
  readonly attempts: number
  /** Number of retries by counter, as a JSON object; counters without retries may be absent. */
  readonly retries: string
  /** The caller numbers used so far, separated by spaces. */
  readonly called_from: string
  readonly attempt_id: AttemptId | null
  readonly verdict: GateVerdict
  readonly reason: GateReason
  readonly decided_at: number
  readonly not_before: number | null
  /** Null until an attempt has ended. */
  readonly completion_status: CompletionStatus | null
  readonly connectivity_status: ConnectivityStatus | null
  readonly next_action_status: NextActionStatus | null
}

/** The constant part of a contact. */
export interface ContactPeopleTable extends BodyColumn {
  readonly campaign_id: CampaignId
  readonly seat: number
}

/** The queue of waiting contacts, in the order in which they are called. */
interface ReadyTable {
  readonly campaign_id: CampaignId
  readonly due_at: number
  readonly seat: number
}

/** The number of dials of a campaign in each minute. */
interface DialMinutesTable {
  readonly campaign_id: CampaignId
  /** Start of the minute, in epoch milliseconds. */
  readonly minute: number
  readonly dials: number
  readonly last_at: number
}

/** The times at which a workspace dialled a number. */
interface NumberDialsTable extends WorkspaceColumns {
  /** Days since 1970-01-01, in UTC. */
  readonly day: number
  readonly user_phone_number: PhoneNumber
  readonly at: number
  readonly dials: number
}

/** Costs of the calls that a process has carried for a campaign, in millionths of the reporting currency. */
interface CampaignSpendingTable {
  readonly campaign_id: CampaignId
  /** 0 where one process has the database to itself. */
  readonly process_id: number
  readonly spent: number
  readonly largest: number
  readonly incomplete: number
}

/** Conversations that a process has counted for an arm of a canary. */
interface CanaryCountsTable {
  readonly campaign_id: CampaignId
  /** Number of the canary in its campaign. */
  readonly canary: number
  readonly arm: CanaryArm
  /** 0 where one process has the database to itself. */
  readonly process_id: number
  readonly conversations: number
  readonly successes: number
}

/** The tables of a campaign's dispatch queue. */
export interface DispatchTables {
  readonly campaign_spending: CampaignSpendingTable
  readonly canary_counts: CanaryCountsTable
  readonly contact_people: ContactPeopleTable
  readonly contacts: ContactsTable
  readonly dial_minutes: DialMinutesTable
  readonly dispatch: DispatchTable
  readonly number_dials: NumberDialsTable
  readonly ready: ReadyTable
}
