import type { ContactState } from "@trunkline/campaigns"
import type { CohortCategory, CohortOwner } from "@trunkline/cohorts"
import type { LedgerEntry } from "@trunkline/rate-limits"
import type { AttemptState } from "@trunkline/telephony"
import type { OutboxState } from "@trunkline/webhooks"
import type { Generated, GeneratedAlways } from "kysely"
import type { AnalyticsTables } from "./AnalyticsTables.js"
import type { NotificationTables } from "./NotificationTables.js"
import type { VoiceTables } from "./VoiceTables.js"

/** The workspace that a row belongs to. */
export interface Scoped {
  readonly org_id: string
  readonly workspace_id: string
}

/** What is kept whole, as the JSON of its schema. */
export interface Whole {
  readonly body: string
}

/** A row that lists show: what they search in, and sort by. Moments are epoch milliseconds. */
interface Listed extends Scoped, Whole {
  /** The texts that a search looks in, folded. */
  readonly search: string
  readonly name: string
  readonly status: string
  readonly created_at: number
  readonly updated_at: number
}

interface AttemptsTable extends Whole {
  readonly attempt_id: string
  readonly state: AttemptState
}

interface DeploymentsTable extends Listed {
  readonly deployment_id: string
}

interface DeploymentNumbersTable {
  readonly phone_number: string
  readonly deployment_id: string
}

interface CampaignsTable extends Listed {
  readonly campaign_id: string
  readonly start_timestamp: number
  readonly end_timestamp: number
}

interface ContactsTable extends Whole {
  readonly campaign_id: string
  readonly user_phone_number: string
  readonly state: ContactState
  readonly due_at: number
  /** The order of arrival in the line of those who wait. */
  readonly place: number
}

/** One row per campaign: how far its roster and its stop files have been read, and how many people are where. */
interface DispatchTable extends Readonly<Record<ContactState, Generated<number>>> {
  readonly campaign_id: string
  /** 0 until somebody has been enrolled. */
  readonly completed_seq: number
  readonly row: number
  /** 0 until a stop file has been read. */
  readonly stops_seq: Generated<number>
  readonly stops_row: Generated<number>
  /** How often someone has come to the end of the line. */
  readonly arrivals: Generated<number>
}

interface CohortsTable extends Listed {
  readonly cohort_id: string
  readonly owner_kind: CohortOwner["kind"]
  readonly owner_id: string
  readonly cohort_category: CohortCategory
  /** What its people are kept under; another one once it begins anew. */
  readonly number: number
  /** Where its file has still to be fetched from. */
  readonly source_url: string | null
  readonly completed_seq: number | null
  readonly valid_records: number
}

interface CohortPeopleTable {
  readonly cohort_number: number
  readonly row: number
  /** The digits of the number. */
  readonly phone: number
  /** In JSON, an array: the identifier, the agent variables, the overrides. */
  readonly body: string
}

/** The rows of people by their numbers; of several with one number in a cohort, the first. */
interface CohortCallersTable {
  readonly phone: number
  readonly cohort_number: number
  readonly row: number
}

/** The numbers of cohorts whose people have to go. */
interface CohortLeftoversTable {
  readonly cohort_number: number
}

interface ExpectedCohortsTable {
  readonly cohort_id: string
}

interface OutboxTable extends Scoped {
  readonly webhook_id: string
  readonly campaign_id: string | null
  readonly attempt_id: string
  readonly url: string
  readonly origin: string
  readonly secret: string | null
  readonly body: Uint8Array
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

interface ApiKeysTable extends Whole {
  readonly key_id: string
  readonly account_id: string
}

interface AccountsTable extends Whole {
  readonly account_id: string
}

interface WorkspacesTable extends Scoped, Whole {}

/** A token bucket that may not be full. */
interface BucketsTable {
  readonly owner: string
  readonly name: string
  /** When it is full again, in microseconds since 1970. */
  readonly full_at: number
}

interface SlotsTable {
  readonly owner: string
  readonly name: string
  readonly holder: string
  /** Epoch milliseconds from which on nobody holds it. */
  readonly expires_at: number
}

/** The sum of an account's entries. */
interface CreditBalancesTable {
  readonly account_id: string
  readonly balance: number
}

interface CreditEntriesTable {
  /** The order in which they were written. */
  readonly seq: Generated<number>
  readonly account_id: string
  readonly reference: string
  readonly kind: LedgerEntry["kind"]
  readonly amount: number
  readonly at: number
}

interface CreditReservationsTable {
  readonly request_id: string
  readonly account_id: string
  readonly key_id: string | null
  readonly api: string
  readonly amount: number
  readonly expires_at: number
}

/** One row per account, day, family and key. */
interface CreditUsageTable {
  readonly account_id: string
  readonly day: string
  readonly api: string
  /** Empty for usage without a key. */
  readonly key_id: string
  readonly requests: number
  /** How much of each unit, in JSON. */
  readonly units: string
  readonly cost: number
  readonly charged: number
}

interface EngineStateTable {
  readonly key: string
  readonly value: number
}

/** The tables of the database, as the newest migration leaves them. */
export interface Database extends AnalyticsTables, NotificationTables, VoiceTables {
  readonly accounts: AccountsTable
  readonly api_keys: ApiKeysTable
  readonly attempts: AttemptsTable
  readonly buckets: BucketsTable
  readonly campaigns: CampaignsTable
  readonly cohort_callers: CohortCallersTable
  readonly cohort_leftovers: CohortLeftoversTable
  readonly cohort_people: CohortPeopleTable
  readonly cohorts: CohortsTable
  readonly contacts: ContactsTable
  readonly credit_balances: CreditBalancesTable
  readonly credit_entries: CreditEntriesTable
  readonly credit_reservations: CreditReservationsTable
  readonly credit_usage: CreditUsageTable
  readonly deployment_numbers: DeploymentNumbersTable
  readonly deployments: DeploymentsTable
  readonly dispatch: DispatchTable
  readonly engine_state: EngineStateTable
  readonly expected_cohorts: ExpectedCohortsTable
  readonly outbox: OutboxTable
  readonly slots: SlotsTable
  readonly workspaces: WorkspacesTable
}
